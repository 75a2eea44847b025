import LibC
import Storage
import Sync
import TestSupport
import Testing

/// Processes that are killed before and after each statement of a transfer. The next one goes on with their file.
@Suite struct KilledClientTests {
  /// Appends a note to a list, adds a dog to another one, and transfers through a connection.
  private static func work(
    _ path: String, _ settings: String, note: String, cut: CuttingConnection.Cut?
  ) throws -> CuttingConnection {
    let file = try DatabaseFile.open(path: path)
    let writer = try Snapshot(file: file)
    try Writer(writer).begin()
    let people = writer.table(ListedModel.person)
    let row = writer.firstRow(table: ListedModel.person, column: 0, equalTo: IndexKey(.int(1)))!
    people.appendElement(ListedModel.notes, row, .string(note))
    let dog = writer.table(ListedModel.dog).insertRow()
    writer.table(ListedModel.dog).setString(0, dog, note)
    people.appendElement(ListedModel.dogs, row, .link(table: ListedModel.dog, row: dog))
    try Writer(writer).commit(durability: .deferred)
    let connection = CuttingConnection(try PostgresConnection(PostgresSettings(settings)), cut: cut) { $0 }
    let client = try SyncClient(
      file, ListedModel.make(), schema: "app", time: SyncClock.systemMilliseconds, report: { _ in })
    client.connection = connection
    try client.contact()
    while try client.push() {}
    try client.pull()
    try client.saveState()
    return connection
  }

  @Test(arguments: [false, true]) func aKilledProcessLosesNothingAndSendsNothingTwice(
    losesAnswer: Bool
  ) async throws {
    let server = try ListedServer()
    let settings = server.server.connectionString(database: server.database)
    let file = try ListedFile(server)
    try file.edit { _ in file.create() }
    try file.transfer()
    let path = file.path
    file.close()
    let count = try Self.work(path, settings, note: "0", cut: nil).stepCount
    for step in 0..<count {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [
          path = path as String, settings = settings as String, step = step as Int,
          losesAnswer = losesAnswer as Bool
        ] in
        _ = try Self.work(
          path, settings, note: "\(step + 1)",
          cut: .init(steps: step, losesAnswer: losesAnswer, killsProcess: true))
        // A transfer with less to send has fewer statements.
        kill(getpid(), SIGKILL)
      }
    }
    try file.open()
    try file.transfer()
    let expected = (0...count).map(String.init)
    #expect(try server.list("notes") == expected && server.list("dogs") == expected)
    let other = try ListedFile(server)
    try other.transfer()
    for file in [file, other] {
      #expect(try file.list(ListedModel.notes) == expected && file.list(ListedModel.dogs) == expected)
      #expect(try !file.client.push())
    }
  }

  /// Other processes are killed while they receive everything for the first time.
  @Test func aFirstDownloadThatIsKilledBeginsAgain() async throws {
    let server = try ListedServer()
    let file = try ListedFile(server)
    try file.edit { _ in for key in 1...50 { file.create(Int64(key), notes: ["a", "b"]) } }
    try file.transfer()
    let settings = server.server.connectionString(database: server.database)
    let empty = try ListedFile(server)
    let path = empty.path
    empty.close()
    for step in 0..<40 {
      let result = await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, settings = settings as String, step = step as Int] in
        let file = try DatabaseFile.open(path: path)
        let client = try SyncClient(
          file, ListedModel.make(), schema: "app", time: SyncClock.systemMilliseconds, report: { _ in })
        client.connection = CuttingConnection(
          try PostgresConnection(PostgresSettings(settings)),
          cut: .init(steps: step, losesAnswer: step % 2 == 0, killsProcess: true)
        ) { $0 }
        try client.contact()
        try client.pull()
        kill(getpid(), SIGKILL)
      }
      guard result != nil else { break }
      try empty.open()
      let isWhole = empty.client.state.cursor != SessionState.emptyCursor
      #expect(empty.writer.liveCount(table: ListedModel.person) == (isWhole ? 50 : 0), "statement \(step)")
      empty.close()
      if isWhole { break }
    }
    try empty.open()
    try empty.pull()
    #expect(empty.client.state.cursor != SessionState.emptyCursor)
    #expect(try (1...50).allSatisfy { try empty.list(ListedModel.notes, of: $0) == ["a", "b"] })
  }
}
