import Storage
import Sync
import TestSupport
import Testing

/// Bookkeeping of the database that no client and no tool has written: it must not end the program.
@Suite struct ImpossibleBookkeepingTests {
  @Test(arguments: [-1, Int(Int32.min), Int(Int32.max)])
  func aPropertyWithAnImpossibleNumberStopsTheSession(number: Int) throws {
    let server = try LinkedServer()
    let file = try LinkedFile(server)
    try file.write { _ in file.create(LinkedModel.dog, .int(1)) }
    try server.outsider.runScript(
      "update realm.property set number = \(number) where class = 'Dog' and name = 'age'")
    let problem = try #require(throws: SyncProblem.self) { try file.connect() }
    #expect(problem.description.contains("Dog.age has the number \(number)"), "\(problem)")
    file.client.disconnect()
    try server.outsider.runScript(
      "update realm.property set number = 1 where class = 'Dog' and name = 'age'")
    try file.connect()
    try file.client.push()
    #expect(try server.rows("select id from app.\"Dog\"") == ["1"])
  }

  /// Taken for the number of a client that the database does not know, it would let the file register again, which counts as a copy.
  @Test func anImpossibleVersionStopsTheSession() throws {
    let server = try LinkedServer()
    let file = try LinkedFile(server)
    try file.write { _ in file.create(LinkedModel.dog, .int(1)) }
    try file.connect()
    try file.client.push()
    try file.write { _ in file.create(LinkedModel.dog, .int(2)) }
    let applied = try server.rows("select applied from realm.client")
    try server.outsider.runScript("update realm.client set applied = -1")
    let attempts = [
      { _ = try file.client.push() }, { _ = try file.client.pull() },
      {
        file.client.disconnect()
        try file.connect()
      },
    ]
    for attempt in attempts {
      let problem = try #require(throws: SyncProblem.self) { try attempt() }
      #expect(problem.description.contains("the client 1 has sent version -1"), "\(problem)")
    }
    #expect(try server.rows("select count(*) from realm.client") == ["1"])
    file.client.disconnect()
    try server.outsider.runScript("update realm.client set applied = \(applied[0])")
    try file.connect()
    try file.client.push()
    #expect(try server.rows("select id from app.\"Dog\" order by id") == ["1", "2"])
  }

  /// The shift of the clock is what the file noted that was registered first. The copy uses its own instead.
  @Test(arguments: [Int64.min, .max, 1 << 47 - 1, -(1 << 45), -2_000_000_000_000])
  func aCopyDoesNotCorrectItsStampsByAnImpossibleShift(shift: Int64) throws {
    let server = try ListedServer()
    let original = try ListedFile(server)
    try original.edit { _ in original.create(notes: ["a", "b"]) }
    let copy = try ListedFile(server, copyOf: original)
    try copy.edit { $0.appendElement(ListedModel.notes, copy.row(), .string("of copy")) }
    try original.transfer()
    try server.outsider.runScript("update realm.client set shift = \(shift)")
    for _ in 0..<2 {
      for file in [copy, original] { try file.transfer() }
    }
    #expect(try server.list("notes") == ["a", "b", "of copy"])
    for file in [copy, original] {
      #expect(try file.list(ListedModel.notes) == ["a", "b", "of copy"] && file.rejected.isEmpty)
    }
  }
}
