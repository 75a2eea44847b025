import Storage
import Sync

/// A database in which the classes of a test are installed, and the pushes of a client to the class `Dog`.
final class Kennel: ModelServer {
  static let dog = SyncClass(
    name: "Dog", table: 0,
    key: SyncProperty(name: "id", column: 0, number: 0, type: .bigint),
    properties: [
      SyncProperty(name: "name", column: 1, number: 1, type: .text),
      SyncProperty(name: "age", column: 2, number: 2, type: .bigint),
      SyncProperty(name: "likes", column: 3, number: 3, type: .bigint, isCounter: true),
      SyncProperty(name: "owner", column: 4, number: 4, type: .text, isOptional: true, isRouting: true),
    ])

  /// The connection of the owner, which is also the client whose pushes no policy restricts.
  var connection: PostgresConnection { outsider }
  /// The connections and the inputs that they have.
  private var staged: [ObjectIdentifier: Set<String>] = [:]
  /// The clients, which stay connected.
  private var clients: [String: PostgresConnection] = [:]
  /// Changes the statements that a test generates, too.
  private(set) var change: (String) -> String = { $0 }
  private let classes: [SyncClass]
  private var takenKeys = 0
  /// The original texts of changed functions.
  private var replaced: [String] = []

  init(_ classes: [SyncClass] = [Kennel.dog]) throws {
    self.classes = classes
    try super.init(SyncModel(classes: classes))
  }

  /// Installs the classes anew, in the database that is there.
  ///
  /// - Parameter change: Changes the statements before they are executed.
  func reinstall(changing change: @escaping (String) -> String) throws {
    self.change = change
    forgetInputs()
    try connection.install(SyncModel(classes: classes), changing: change)
  }

  /// Executes those of the generated statements that a change alters, as far as they make functions. Returns whether these
  /// are all that it alters.
  func replaceFunctions(changing change: @escaping (String) -> String) throws -> Bool {
    self.change = change
    let altered = ServerSchema(SyncModel(classes: classes)).initialSQL().map { ($0, change($0)) }
      .filter { $0 != $1 }
    let functions = altered.filter { $0.0.hasPrefix("create or replace function") }
    // A stage makes another input.
    if functions.contains(where: { $0.0.contains("$stage") }) { forgetInputs() }
    for (_, text) in functions { try connection.runScript(text) }
    replaced += functions.map { $0.0 }
    return functions.count == altered.count && !altered.isEmpty
  }

  /// Executes the statements again that were changed.
  func restoreFunctions() throws {
    change = { $0 }
    for text in replaced { try connection.runScript(text) }
    replaced = []
  }

  /// Whether a connection does not have an input yet, which it gets now.
  func isFirstInput(_ name: String, _ connection: PostgresConnection) -> Bool {
    staged[ObjectIdentifier(connection), default: []].insert(name).inserted
  }

  /// Returns a number that the keys of a thousand objects are above, which no other objects have.
  func takeKeys() -> Int {
    takenKeys += 1000
    return takenKeys - 1000
  }

  /// Lets the next push make its inputs anew.
  func forgetInputs() { staged = [:] }

  /// Connects as another role, which is a member of `realm_user` if it is new.
  func connect(as role: String, isMember: Bool = true) throws -> PostgresConnection {
    if let connected = clients[role] { return connected }
    try connection.makeRole(role, isMember: isMember)
    let connected = try server.connect(database, role: role)
    clients[role] = connected
    return connected
  }

  /// Pushes rows of the input, and returns the outcome.
  ///
  /// - Parameters:
  ///   - inputs: The rows in their order.
  ///   - connection: Whose push it is; the owner's, when nil.
  @discardableResult
  func push(_ inputs: [Input], _ connection: PostgresConnection? = nil) throws -> [String] {
    let connection = connection ?? self.connection
    let stage = isFirstInput("Dog", connection) ? "select app.\"Dog$stage\"()" : ""
    let rows = inputs.map { "insert into pg_temp.\"Dog$in\" (\($0.columns)) values (\($0.values));" }.joined()
    return try push(
      "begin; select realm.begin_push(); \(stage); \(rows) select realm.apply('Dog')", connection)
  }

  /// Executes the statements of a push, and returns the outcome.
  func push(_ statements: String, _ connection: PostgresConnection) throws -> [String] {
    do {
      try connection.runScript(statements)
      let outcome = try self.rows(
        "select key, split_part(reason, E'\\n', 1) from pg_temp.\"$out\" order by key::bigint, reason",
        connection)
      try connection.commit()
      return outcome
    } catch {
      forgetInputs()
      try connection.rollback()
      throw error
    }
  }

  @discardableResult
  func push(_ inputs: Input...) throws -> [String] { try push(inputs) }

  /// The object with a key: its properties, the stamp of its creation, and those of its properties.
  func dog(_ key: Int) throws -> [String] {
    try rows("select name, age, likes, owner, _at, _st from app.\"Dog\" where id = \(key)")
  }

  /// The departures of a key: where it has left, and the stamp of its deletion.
  func departures(_ key: Int) throws -> [String] {
    try rows("select owner, _died from app.\"Dog$gone\" where id = \(key) order by owner")
  }
}

/// A row of the input of a push.
struct Input {
  var columns: String
  var values: String

  /// A created object. A missing stamp is that of the creation.
  static func created(
    _ key: Int, at stamp: Int, name: String = "", age: Int = 0, likes: Int = 0, owner: String? = nil,
    stamps: String = "null"
  ) -> Input {
    Input(
      columns: "_op, id, name, age, likes, owner, _at, _st",
      values: "'i', \(key), \(SQLText.literal(name)), \(age), \(likes), "
        + "\(owner.map(SQLText.literal) ?? "null"), \(stamp), \(stamps)")
  }

  /// An edited object: the written properties with their stamps. A counter has a difference, and no stamp.
  static func edited(
    _ key: Int, name: (String, Int)? = nil, age: (Int, Int)? = nil, likes: Int? = nil,
    owner: (String?, Int)? = nil
  ) -> Input {
    let stamps = [name?.1, age?.1, nil, owner?.1].map { $0.map { "\($0)" } ?? "null" }
    let values = [
      name.map { SQLText.literal($0.0) }, age.map { "\($0.0)" }, likes.map { "\($0)" },
      owner?.0.map(SQLText.literal),
    ].map { $0 ?? "null" }
    return Input(
      columns: "_op, id, name, age, likes, owner, _st",
      values:
        "'u', \(key), \(values.joined(separator: ", ")), array[\(stamps.joined(separator: ", "))]::bigint[]")
  }

  /// A deleted object.
  static func deleted(_ key: Int, at stamp: Int) -> Input {
    Input(columns: "_op, id, _at", values: "'d', \(key), \(stamp)")
  }
}
