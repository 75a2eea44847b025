import Storage
import Sync
import Synchronization
import TestSupport

/// A server with the classes of the simulator, and files, for one story. A rule of the client or of the server can be taken away:
/// then the story must fail.
final class Stage {
  let server: PostgresServer
  private let database: String
  private let mutant: StoryMutant?
  private let kinds: [any SimulatedKind]
  private let model: SyncModel
  /// The connection of an SQL program.
  let outsider: PostgresConnection
  private var files: [SimulatedFile] = []
  /// Whether what the mutant changes was there to be changed.
  private(set) var isMutated = false
  /// Is called before each statement of a client.
  var beforeStatement: ((SimulatedFile, String) throws -> Void)?
  /// What is remembered between two steps of a mutant.
  var memory: [SessionKey: [UInt8]] = [:]

  init(_ server: PostgresServer, database: String, _ mutant: StoryMutant? = nil) throws {
    self.server = server
    self.database = database
    self.mutant = mutant
    kinds = [SimulatedCounters()]
    model = try SimulatedModel(kinds).model
    outsider = try server.connect(database)
    try outsider.install(model) { (mutant?.inSchema ?? []).reduce($0) { changed($0, $1) } }
    try outsider.runScript(
      "alter table app.\"Dog\" add check (age < 1000); "
        + "insert into app.\"Dog\" (id, name) values (1, 'begin'); "
        + "insert into app.\"Post\" (id, title) values (1, 'begin')")
  }

  private func changed(_ text: String, _ change: StoryMutant.Change?) -> String {
    guard let change else { return text }
    let parts = text.split(separator: change.text, omittingEmptySubsequences: false)
    if parts.count > 1 { isMutated = true }
    return parts.joined(separator: change.replacement)
  }

  /// Makes a file.
  ///
  /// - Parameter skew: Milliseconds that the clock of its machine is wrong.
  func makeFile(skew: Int64 = 0) throws -> SimulatedFile {
    let file = try SimulatedFile(number: files.count, skew: skew, kinds: kinds)
    files.append(file)
    return file
  }

  /// Opens a copy of a file as it is now.
  ///
  /// - Parameter isClosed: Whether the bytes of the closed file are copied.
  func makeCopy(of file: SimulatedFile, isClosed: Bool = false) throws -> SimulatedFile {
    let copy = try file.copy(number: files.count, isClosed: isClosed)
    files.append(copy)
    return copy
  }

  /// Connects a file's client.
  func connect(
    _ file: SimulatedFile, role: String = "postgres", cut: CuttingConnection.Cut? = nil
  ) throws {
    file.client.disconnect()
    if mutant?.waitsForDurability == false {
      isMutated = true
      file.client.waitForDurability = { _ in }
    }
    file.client.connection = connection(try server.connect(database, role: role), file, cut)
    try file.client.contact()
  }

  private func connection(
    _ inner: PostgresConnection, _ file: SimulatedFile, _ cut: CuttingConnection.Cut?
  ) -> CuttingConnection {
    if mutant?.failsOnUnsendable == true { isMutated = true }
    return CuttingConnection(inner, cut: cut, failsOnUnsendable: mutant?.failsOnUnsendable ?? false) {
      [unowned self, unowned file] sql in
      try beforeStatement?(file, sql)
      if let before = mutant?.beforeStatement {
        isMutated = true
        try before(self, file, sql)
      }
      if let number = mutant?.file, number != file.number { return sql }
      return changed(sql, mutant?.inStatements)
    }
  }

  /// Lets a file send everything and receive everything.
  func synchronise(_ all: SimulatedFile..., role: String = "postgres") throws {
    for file in all {
      if file.client.connection == nil { try connect(file, role: role) }
      try push(file)
      try file.client.pull()
    }
  }

  /// Lets a file send everything.
  func push(_ file: SimulatedFile) throws {
    for attempt in 0... {
      if try !file.client.push() { return }
      try require(attempt < 20, "sending comes to an end")
    }
  }

  /// Runs a statement of an SQL program in a transaction of its own.
  func execute(_ sql: String) throws {
    try server.connect(database).runScript(sql)
  }

  /// Returns a client of the same file as another process has it, connected.
  func makeProcess(of file: SimulatedFile) throws -> SyncClient {
    let client = try SyncClient(
      file.file, model, schema: "app", time: { SyncClock.systemMilliseconds() }, report: { _ in })
    client.connection = connection(try server.connect(database), file, nil)
    try client.contact()
    return client
  }

  /// Ends a client's transfer by a cut.
  func expectCut(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as PostgresError where error.isConnectionLost {
      return
    }
    throw Simulation.Failure(description: "The connection was not cut.")
  }

  /// Whether the disk has the newest version of a file.
  func isDurable(_ file: SimulatedFile) -> Bool {
    let answer = Answer()
    file.file.whenSynced(file.file.newestVersion) { _ in answer.isThere.store(true, ordering: .relaxed) }
    // It is called at once if so.
    return answer.isThere.load(ordering: .relaxed)
  }

  private final class Answer: Sendable {
    let isThere = Atomic(false)
  }

  func require(_ condition: Bool, _ text: @autoclosure () -> String) throws {
    if !condition { throw Simulation.Failure(description: "It does not hold that \(text()).") }
  }

  func requireEqual<Content: Equatable>(_ found: Content, _ expected: Content) throws {
    if found != expected { throw Simulation.Failure(description: "\(found) is not \(expected)") }
  }

  /// Gives what a connected file writes from now on times some seconds ago. On a busy machine the correction of clocks misses
  /// many milliseconds, and they decide nothing then.
  func setBack(_ file: SimulatedFile) {
    file.file.milliseconds = { SyncClock.systemMilliseconds() - 5000 }
  }

  // MARK: Objects

  /// Returns a column of a row of the server as text.
  func value(_ sql: String) throws -> String { try outsider.run(sql).first?.text(0) ?? "nothing" }

  func name(_ key: Int64, _ name: String, age: Int64? = nil, in file: SimulatedFile) throws {
    try file.name(key, name, age: age)
  }

  func delete(_ key: Int64, in file: SimulatedFile) throws { try file.deleteDog(key) }

  func nameOfDog(_ key: Int64, in file: SimulatedFile) throws -> ExactValue? {
    try file.objects(SimulatedModel.dog)[ExactValue(.int(key))]?[0]
  }

  /// The number of the table with counters.
  private static let post = 2

  /// Adds to the likes of a post, which is created if it is missing.
  func like(_ amount: Int64, key: Int64 = 1, in file: SimulatedFile) throws {
    try file.write { snapshot in
      let posts = snapshot.table(Self.post)
      let row = file.row(Self.post, .int(key)) ?? file.create(Self.post, .int(key))
      posts.setInteger(2, row, posts.integer(2, row) + amount)
    }
  }

  /// Gives a post another key.
  func rename(_ key: Int64, _ newKey: Int64, in file: SimulatedFile) throws {
    try file.write { snapshot in
      if let row = file.row(Self.post, .int(key)) { snapshot.table(Self.post).setInteger(0, row, newKey) }
    }
  }

  /// The likes of a post that the server and the files have; -1 where it is missing.
  func likes(key: Int64 = 1, _ all: SimulatedFile...) throws -> [Int64] {
    let server = try value("select likes from app.\"Post\" where id = \(key)")
    return try [Int64(server) ?? -1]
      + all.map { file in
        if case .int(let likes)? = try file.objects(Self.post)[ExactValue(.int(key))]?[1].value {
          likes
        } else {
          -1
        }
      }
  }
}
