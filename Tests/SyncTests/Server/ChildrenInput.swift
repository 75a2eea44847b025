import Storage
import Sync

/// A row of the input of a push of elements.
struct ElementRow {
  var collection: String
  var columns: String
  var values: String

  private init(_ collection: String, _ columns: String, _ values: [String]) {
    (self.collection, self.columns) = (collection, columns)
    self.values = values.joined(separator: ", ")
  }

  private static func literal(_ text: String?) -> String { text.map { SQLText.literal($0) } ?? "null" }

  private static func literal(_ number: Int?) -> String { number.map { "\($0)" } ?? "null" }

  /// An element of a set of texts, that is added (`i`) or removed (`d`).
  static func tag(_ operation: String, _ owner: Int, _ value: String, at stamp: Int) -> ElementRow {
    .init("tags", "_op, owner, value, _at", ["'\(operation)'", "\(owner)", literal(value), "\(stamp)"])
  }

  /// An element of a set of optional texts.
  static func mood(_ operation: String, _ owner: Int, _ value: String?, at stamp: Int) -> ElementRow {
    .init("moods", "_op, owner, value, _at", ["'\(operation)'", "\(owner)", literal(value), "\(stamp)"])
  }

  /// An entry of a map of numbers.
  static func score(
    _ operation: String, _ owner: Int, _ key: String, _ value: Int? = nil, at stamp: Int
  ) -> ElementRow {
    let values = ["'\(operation)'", "\(owner)", literal(key), literal(value), "\(stamp)"]
    return .init("scores", "_op, owner, key, value, _at", values)
  }

  /// An element of a list of texts; its key is one byte.
  static func note(
    _ operation: String, _ owner: Int, _ element: Int, key: Int? = nil, _ value: String? = nil,
    position: Int? = nil, content: Int? = nil
  ) -> ElementRow {
    let bytes = key.map { "'\\x\(String($0, radix: 16))'::bytea" } ?? "null"
    let values = [
      "'\(operation)'", "\(owner)", "\(element)", bytes, literal(value), literal(position), literal(content),
    ]
    return .init("notes", "_op, owner, _el, _key, value, _ks, _vs", values)
  }
}

extension Input {
  static func person(
    _ key: Int, at stamp: Int, name: String = "", home: String? = nil, age: Int = 0
  ) -> Input {
    Input(
      columns: "_op, id, name, home, age, _at",
      values:
        "'i', \(key), \(SQLText.literal(name)), \(home.map(SQLText.literal) ?? "null"), \(age), \(stamp)")
  }
}

extension Kennel {
  static let person = SyncClass(
    name: "Person", table: 0, key: SyncProperty(name: "id", column: 0, number: 0, type: .bigint),
    properties: [
      SyncProperty(name: "name", column: 1, number: 1, type: .text),
      // The name of a column that the tables of elements have, too.
      SyncProperty(name: "owner", column: 2, number: 2, type: .text, isOptional: true),
      SyncProperty(name: "home", column: 3, number: 3, type: .text, isOptional: true, isRouting: true),
      SyncProperty(name: "age", column: 8, number: 8, type: .bigint),
    ],
    collections: [
      SyncCollection(name: "tags", column: 4, number: 4, kind: .set, element: .text),
      SyncCollection(name: "moods", column: 5, number: 5, kind: .set, element: .text, isOptional: true),
      SyncCollection(name: "scores", column: 6, number: 6, kind: .map, element: .bigint),
      SyncCollection(name: "notes", column: 7, number: 7, kind: .list, element: .text, isOptional: true),
    ])

  /// Pushes persons, and then elements; returns the outcome.
  ///
  /// - Parameter connection: Whose push it is; the owner's, when nil.
  @discardableResult
  func push(
    people: [Input] = [], _ elements: [ElementRow] = [], _ connection: PostgresConnection? = nil
  ) throws -> [String] {
    let connection = connection ?? self.connection
    let inputs = Set((people.isEmpty ? [] : ["Person"]) + elements.map { "Person.\($0.collection)" })
    let stages = inputs.sorted().filter { isFirstInput($0, connection) }
    let rows =
      people.map { "insert into pg_temp.\"Person$in\" (\($0.columns)) values (\($0.values))" }
      + elements.map {
        "insert into pg_temp.\"Person.\($0.collection)$in\" (\($0.columns)) values (\($0.values))"
      }
    let statements =
      ["begin", "select realm.begin_push()"] + stages.map { "select app.\"\($0)$stage\"()" } + rows
      + ["select realm.apply('Person')"]
    return try push(statements.joined(separator: ";\n"), connection)
  }

  /// Begins the push of an element of `tags` on a connection of its own, and does not commit it.
  func beginPush(_ element: ElementRow) throws -> PostgresConnection {
    let connection = try server.connect(database)
    try connection.runScript(
      """
      set lock_timeout = '20ms';
      begin; select realm.begin_push(); select app."Person.tags$stage"();
      insert into pg_temp."Person.tags$in" (\(element.columns)) values (\(element.values)); select realm.apply('Person')
      """)
    return connection
  }

  /// The elements of an owner in one of its sets, with their stamps.
  func elements(_ collection: String, _ owner: Int) throws -> [String] {
    let columns =
      switch collection {
      case "scores": "key, value, _at"
      case "notes": "_el, encode(_key, 'hex'), value, _ks, _vs"
      default: "value, _at"
      }
    let order = collection == "notes" ? "_key, _el" : "1"
    return try rows(
      "select \(columns) from app.\"Person.\(collection)\" where owner = \(owner) order by \(order)")
  }

  /// The removals that are remembered of an owner's collection, with their stamps.
  func removals(_ collection: String, _ owner: Int) throws -> [String] {
    let element = collection == "scores" ? "key" : collection == "notes" ? "_el" : "value"
    return try rows(
      "select \(element), _died from app.\"Person.\(collection)$gone\" where owner = \(owner) order by 1")
  }
}
