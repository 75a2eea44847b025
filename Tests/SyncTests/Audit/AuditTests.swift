import Storage
import Sync
import TestSupport
import Testing

/// What compares a file with the server.
@Suite struct AuditTests {
  private static let threeDogs = """
    insert into app."Dog" (id, name) select n, 'dog' from generate_series(1, 3) n
    """

  @Test func theHashIsThatOfPostgreSQL() throws {
    let connection = try PostgresServer.shared().connect("postgres")
    var random = SeededGenerator(seed: 39)
    for length in 0..<60 {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      let seed = length == 7 ? 0 : UInt64.random(in: 0 ... .max, using: &random)
      let text = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      let answer = try connection.run(
        "select hash_record_extended(row('\\x\(text)'::bytea), '\(Int64(bitPattern: seed))'::bigint)")
      let hash = bytes.withUnsafeBytes { RowHash.hash($0, seed: seed) }
      #expect(try answer[0].integer(0) == Int64(bitPattern: hash), "\(length) bytes, seed \(seed)")
    }
  }

  @Test func differencesAreFoundOnceAndRepaired() throws {
    let audited = try AuditedFile()
    try audited.outsider.runScript(Self.threeDogs)
    try audited.client.pull()
    #expect(try audited.client.audit()?.differences == 0)
    try audited.corrupt(
      """
      update app."Dog" set name = 'changed' where id = 1; delete from app."Dog" where id = 2;
      insert into app."Dog" (id, name, _rx) values (4, 'added', '3')
      """)
    try audited.client.pull()
    #expect(try audited.dogs() == ["1 dog", "2 dog", "3 dog"])
    let findings = try #require(try audited.client.audit())
    #expect(findings.differences == 3 && findings.objects == 3)
    #expect(try audited.dogs() == ["1 changed", "3 dog", "4 added"])
    #expect(try audited.client.audit()?.differences == 0)
    let told = audited.events.compactMap {
      if case .audited(let found) = $0 { found.differences } else { nil }
    }
    #expect(told == [0, 3, 0])
  }

  @Test func whatIsPendingIsNoDifference() throws {
    let audited = try AuditedFile()
    try audited.outsider.runScript(Self.threeDogs)
    try audited.client.pull()
    try audited.write { snapshot in
      let table = snapshot.table(SimulatedModel.dog)
      table.setString(1, audited.row(SimulatedModel.dog, .int(1))!, "mine")
      table.deleteRow(audited.row(SimulatedModel.dog, .int(2))!)
      let row = table.insertRow()
      table.setInteger(0, row, 7)
      // PostgreSQL cannot store it.
      table.setString(1, row, "new\0")
      table.setInteger(2, row, 0)
    }
    #expect(try audited.client.audit()?.differences == 0)
    try audited.corrupt("update app.\"Dog\" set age = 9")
    #expect(try audited.client.audit()?.differences == 2)
    #expect(try audited.dogs() == ["1 mine", "3 dog", "7 new\0"])
    let values = try audited.objects(SimulatedModel.dog)[ExactValue(.int(1))]
    #expect(values?[1] == ExactValue(.int(9)))
  }

  @Test func valuesThatTheServerRoundsAreNoDifferences() throws {
    let audited = try AuditedFile()
    try audited.write { snapshot in
      let table = snapshot.table(SimulatedModel.tag)
      for (name, seconds) in [("a", 0.123_456_789), ("b", -1e9 / 3), ("c", 2.5e11 + 0.1)] {
        let row = table.insertRow()
        table.setString(0, row, name)
        table.setDouble(2, row, seconds)
      }
    }
    try audited.transfer()
    #expect(try audited.client.audit()?.differences == 0)
    #expect(try audited.client.audit()?.objects == 3)
  }

  @Test func aFileThatHasEverythingReadsHashesOnly() throws {
    let audited = try AuditedFile()
    try audited.outsider.runScript(
      "insert into app.\"Dog\" (id, name) select n, 'dog' from generate_series(1, 2000) n")
    try audited.client.pull()
    try audited.outsider.runScript("select realm.rehistory()")
    try audited.reconnect()
    #expect(audited.resets == [.historyChanged])
    try audited.corrupt("update app.\"Dog\" set name = 'other' where id = 1234")
    audited.statements = []
    try audited.client.pull()
    #expect(audited.client.isPullApplied && !audited.client.state.needsFullPull)
    let reads = audited.statements.filter { $0.hasPrefix("copy (") && $0.contains("\"Dog\"") }
    #expect(reads.count == 2 && reads[0].contains("bit_xor") && reads[1].contains("any ("), "\(reads)")
    #expect(try audited.dogs().contains("1234 other"))
  }

  @Test func changedPoliciesAreNoticedByAClientThatStaysConnected() throws {
    let audited = try AuditedFile(role: "audit_ada")
    let schema = ServerSchema(try SimulatedModel.make())
    let dog = try #require(schema.model["Dog"])
    func allow(_ condition: String) throws {
      let statements = schema.allow(dog, read: condition, write: "true").joined(separator: "; ")
      try audited.outsider.runScript("begin; \(statements); commit")
    }
    try audited.outsider.runScript(Self.threeDogs)
    try audited.client.pull()
    #expect(try audited.dogs().count == 3)
    try allow("id < 3")
    try audited.client.pull()
    #expect(try audited.dogs() == ["1 dog", "2 dog"])
    try allow("id > 1")
    try audited.client.pull()
    #expect(try audited.dogs() == ["2 dog", "3 dog"])
    #expect(audited.resets == [.policiesChanged, .policiesChanged])
    try audited.client.pull()
    #expect(audited.resets.count == 2)
  }
}
