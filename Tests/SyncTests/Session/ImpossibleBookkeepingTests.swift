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
