import Foundation
import RealmSwift
import Storage
import Sync
import TestSupport
import Testing

@testable import RealmTool

/// realm sync with the file of a program: audit, resync, status, rejected.
struct SyncedFileCommandTests {
  private let folder = ScratchFolder()
  private let server: PostgresServer
  private let database: String
  private let path: String
  private let file: DatabaseFile
  private let client: SyncClient

  /// Synchronises a file as a program does.
  init() throws {
    let server = try PostgresServer.shared()
    let database = try server.makeDatabase()
    let path = folder.path("dogs.realm")
    let dog = [
      DescribedProperty("id", .int, primaryKey: true), DescribedProperty("name", .string),
      DescribedProperty("age", .int), DescribedProperty("tags", .string, in: .list),
      DescribedProperty("scores", .int, in: .map), DescribedProperty("things", .any, in: .list),
    ]
    try autoreleasepool {
      _ = try Realm(
        configuration: Realm.Configuration(
          fileURL: URL(fileURLWithPath: path), schema: .classes([DescribedClass("Dog", dog)])))
    }
    let settings = try PostgresSettings(server.connectionString(database: database))
    let prepared = try RealmProgram.run("sync", "init", settings.address, path)
    #expect(prepared.status == 0)
    try server.psql(
      "alter table app.\"Dog\" add check (age < 100); alter table app.\"Dog.tags\" add check (value <> 'bad'); "
        + "alter table app.\"Dog.scores\" add check (value > 0); "
        + "alter table app.\"Dog.things\" add check (value ->> 't' <> 'dictionary')", database: database)
    (self.server, self.database, self.path) = (server, database, path)
    file = try DatabaseFile.open(path: path)
    let model = try SyncModel.read(Snapshot(file: file).catalogue)
    try SyncClient.prepare(file, model, time: SyncClock.systemMilliseconds())
    client = try SyncClient(
      file, model, schema: "app", time: { SyncClock.systemMilliseconds() }, report: { _ in })
    client.record.address = settings.address
    client.connection = try PostgresConnection(settings)
    try client.contact()
    try client.pull()
  }

  private func run(_ words: String...) throws -> RealmProgram.Outcome {
    try RealmProgram.run(["sync"] + words)
  }

  /// Synchronises another file as the program of a role that only reads what it is granted.
  private func join(role: String) throws -> (path: String, address: String) {
    try server.makeRole(role)
    try server.psql("grant realm_user to \(role)", database: database)
    let other = folder.path("\(role).realm")
    try Snapshot(file: file).writeCopy(to: other)
    let settings = try PostgresSettings(server.connectionString(role: role, database: database))
    let copy = try DatabaseFile.open(path: other)
    let model = try SyncModel.read(Snapshot(file: copy).catalogue)
    let client = try SyncClient(
      copy, model, schema: "app", time: { SyncClock.systemMilliseconds() }, report: { _ in })
    client.record.address = settings.address
    client.connection = try PostgresConnection(settings)
    try client.contact()
    try client.pull()
    client.disconnect()
    return (other, settings.address)
  }

  /// Adds a dog as the program does.
  ///
  /// - Parameter other: The file of another program; nil for the one that the suite has.
  private func add(
    _ id: Int64, age: Int64, tags: [String] = [], scores: [String: Int64] = [:], to other: String? = nil
  ) throws {
    let snapshot = try Snapshot(file: other.map { try DatabaseFile.open(path: $0) } ?? file)
    try Writer(snapshot).begin()
    let table = snapshot.table(0)
    let row = table.insertRow()
    table.setInteger(0, row, id)
    table.setString(1, row, "Rex")
    table.setInteger(2, row, age)
    table.insertElements(3, row, at: 0, tags.map { .string($0) })
    for (key, score) in scores { table.setMapValue(4, row, key: key, .int(score)) }
    try Writer(snapshot).commit()
  }

  @Test func filesAreAuditedAndReadAgain() throws {
    for id in 1...3 { try add(Int64(id), age: 1) }
    try client.push()
    try client.pull()
    try add(4, age: 1)
    let equal = try run("audit", path)
    #expect(equal.status == 0 && equal.error == "")
    #expect(
      equal.output.hasPrefix("3 objects compared in ") && equal.output.hasSuffix(" s: no differences\n"))
    try server.psql(
      "set session_replication_role = replica; update app.\"Dog\" set name = 'x' where id < 3",
      database: database)
    let different = try run("audit", path)
    #expect(
      different.status == 1 && different.output.hasSuffix(" s: 2 differences, repaired\n"), "\(different)")
    try server.psql(
      "set session_replication_role = replica; update app.\"Dog\" set name = 'y' where id = 1",
      database: database)
    #expect(
      try run("resync", path)
        == .init(status: 0, output: "3 objects read again; 1 differed; 1 waiting change kept\n"))
  }

  @Test func filesOfRolesThatOwnNothingAreAudited() throws {
    try add(1, age: 1)
    try client.push()
    let (walked, _) = try join(role: "walker")
    let audit = try run("audit", walked)
    #expect(audit.status == 0 && audit.output.hasPrefix("1 object compared"), "\(audit)")
  }

  /// A role that may read some of the objects receives only those, and keeps what waits.
  @Test func filesOfRolesThatOwnNothingAreReadAgain() throws {
    let owner = try PostgresSettings(server.connectionString(database: database)).address
    for id in 1...3 { try add(Int64(id), age: 1) }
    try client.push()
    // Otherwise the three objects wait in the copy, too.
    try client.saveState()
    let allowed = try run("allow", owner, "Dog", "--read", "id < 3 or id > 5", "--write", "true")
    #expect(allowed.status == 0, "\(allowed)")
    let (walked, _) = try join(role: "rambler")
    let equal = try run("resync", walked)
    #expect(
      equal
        == .init(
          status: 0, output: "2 objects read again; 0 differed; 0 waiting changes kept\n"))
    try add(7, age: 1, to: walked)
    try server.psql(
      "set session_replication_role = replica; update app.\"Dog\" set name = 'x'", database: database)
    let different = try run("resync", walked)
    #expect(
      different
        == .init(
          status: 0, output: "2 objects read again; 2 differed; 1 waiting change kept\n"))
    #expect(try run("audit", walked).output.hasSuffix(" s: no differences\n"))
    // Nothing was sent.
    #expect(try server.psql("select count(*) from app.\"Dog\"", database: database) == "3")
  }

  /// The file would get objects that the role of its program may not read.
  @Test func filesAreNotAuditedWithAnotherRole() throws {
    let owner = try PostgresSettings(server.connectionString(database: database)).address
    let (walked, walker) = try join(role: "strider")
    for command in ["audit", "resync"] {
      let refused = try run(command, walked, "--url", owner)
      #expect(refused.status == 3 && refused.output == "", "\(refused)")
      #expect(
        refused.error
          == "realm: '\(walked)' is registered by the role strider, and the URL has the role postgres, which may see other "
          + "objects. Use the role strider.\n")
      // The row in realm.client cannot be read by this role.
      let unseen = try run(command, path, "--url", walker)
      #expect(unseen.status == 3 && unseen.error.contains("the role strider does not find"), "\(unseen)")
    }
    #expect(try server.psql("select count(*) from realm.client", database: database) == "2")
  }

  @Test func aFileThatHasSentNothingSaysSo() throws {
    let output = try run("status", path).output
    #expect(output.hasPrefix("current: nothing was sent, snapshot of 0 s ago; nothing waits; "), "\(output)")
  }

  @Test func theStateOfAFileNamesWhatStopsItsSession() throws {
    try server.psql("update realm.property set type = 'text' where name = 'age'", database: database)
    let changed = try run("status", path).output
    #expect(changed.hasPrefix("behind since ") && changed.contains("The types of the file and"), "\(changed)")
    #expect(changed.contains("Dog.age"))
    try server.psql("update realm.property set type = 'bigint' where name = 'age'", database: database)
    #expect(try run("status", path).output.hasPrefix("current: "))
    try server.psql("drop schema realm cascade", database: database)
    let dropped = try run("status", path).output
    #expect(dropped.contains("realm sync init"), "\(dropped)")
  }

  @Test func theStateOfAFileIsTold() throws {
    try add(1, age: 1)
    try client.push()
    try client.pull()
    _ = try client.audit()
    let current = try run("status", path)
    #expect(current.output.hasPrefix("current: version \(client.state.acknowledged) acknowledged "))
    #expect(current.output.contains(" ago; nothing waits; audit "), "\(current)")
    #expect(current.output.hasSuffix(" s ago: no differences\n"))
    let address = try PostgresSettings("host=/nowhere dbname=demo").address
    let behind = try run("status", path, "--url", address)
    #expect(behind.output.hasPrefix("behind since ") && behind.output.contains("): nothing waits; "))
    #expect(behind.output.contains("/nowhere"), "\(behind)")
  }

  @Test func rejectedObjectsAreListed() throws {
    #expect(try run("rejected", path).output == "No object was rejected.\n")
    try add(7, age: 5000)
    try add(8, age: 5)
    try client.push()
    try client.pull()
    #expect(
      try run("rejected", path, "--jsonl").output == """
        {"class":"Dog","key":7,"sqlstate":"23514","message":"new row for relation \\"Dog\\" violates check constraint \\"Dog_age_check\\"","values":{"age":5000,"name":"Rex"}}

        """)
    #expect(try run("rejected", path).output.hasPrefix("Dog 7  23514  new row for relation"))
  }

  @Test func refusedElementsAreListed() throws {
    try add(7, age: 5, tags: ["good", "bad"], scores: ["a": -1])
    try client.push()
    try client.pull()
    let output = try run("rejected", path, "--jsonl").output
    #expect(output.contains("\"values\":{\"tags\":[\"good\",\"bad\"]}}\n"), "\(output)")
    #expect(output.contains("\"values\":{\"scores\":{\"a\":-1}}}\n"), "\(output)")
    #expect(output.split(separator: "\n").count == 2)
  }

  /// What holds other values is JSON, and no text that has it.
  @Test func refusedValuesOfAnyTypeAreListed() throws {
    let snapshot = try Snapshot(file: file)
    try Writer(snapshot).begin()
    let table = snapshot.table(0)
    let row = table.insertRow()
    table.setInteger(0, row, 7)
    table.insertElements(
      5, row, at: 0,
      [
        .list([.int(1), .bool(true), .null, .string("x")]), .link(table: 0, row: row),
        .dictionary([.init(key: "a", value: .list([.link(table: 0, row: row)]))]),
      ])
    try Writer(snapshot).commit()
    try client.push()
    let output = try run("rejected", path, "--jsonl").output
    #expect(
      output.contains("\"values\":{\"things\":[[1,true,null,\"x\"],7,{\"a\":[7]}]}}\n"), "\(output)")
  }

  @Test func otherFilesAreRefused() throws {
    let other = folder.path("other.realm")
    _ = try Realm(
      configuration: Realm.Configuration(
        fileURL: URL(fileURLWithPath: other),
        schema: .classes([DescribedClass("Dog", [DescribedProperty("id", .int, primaryKey: true)])])))
    for command in ["audit", "resync", "status", "rejected"] {
      let outcome = try run(command, other)
      #expect(outcome.status == 3 && outcome.error.contains("is not synchronised"), "\(outcome)")
    }
  }
}
