import Storage
import Sync
import TestSupport
import Testing

/// Mixed values between files, a real server, and SQL programs.
@Suite struct MixedLinkTests {
  private typealias Model = LinkedModel

  private func begin(_ thing: String) throws -> (LinkedServer, LinkedFile) {
    let server = try LinkedServer()
    try server.rows("insert into app.\"Person\" (id, thing) values (1, \(SQLText.literal(thing)))")
    let file = try LinkedFile(server)
    try file.pull()
    return (server, file)
  }

  private func dog(_ file: LinkedFile, _ key: Int64) throws -> Value {
    .link(table: Model.dog, row: try #require(file.row(Model.dog, .int(key))))
  }

  private func write(_ file: LinkedFile, _ value: Value) throws {
    try file.write { $0.table(Model.person).setValue(Model.thing, file.row(Model.person, .int(1))!, value) }
  }

  @Test func aLinkInAMixedValueNamesClassAndKey() throws {
    let (server, file) = try begin("null")
    try file.write { _ in
      file.create(Model.dog, .int(7))
      file.create(Model.badge, .uuid(Fixed16(high: 1, low: 2)))
    }
    let badge = Value.link(
      table: Model.badge, row: try #require(file.row(Model.badge, .uuid(Fixed16(high: 1, low: 2)))))
    try write(file, .list([try dog(file, 7), .dictionary([.init(key: "a", value: badge)]), .null]))
    try file.transfer()
    #expect(
      try server.rows("select thing from app.\"Person\"") == [
        #"{"t": "list", "v": [{"t": "link", "v": 7, "class": "Dog"}, "#
          + #"{"t": "dictionary", "v": {"a": {"t": "link", "v": "00000000-0000-0001-0000-000000000002", "class": "Badge"}}}, null]}"#
      ])
    let second = try LinkedFile(server)
    try second.pull()
    guard case .list(let elements)? = try second.thing(1) else {
      Issue.record("no list has arrived")
      return
    }
    #expect(elements.count == 3)
    #expect(try elements[0] == dog(second, 7))
    #expect(elements[2] == .null)
    try second.transfer()
    #expect(second.client.unresolvedCount == 0)
  }

  @Test func linksInAMixedValueAreFilledInOneByOne() throws {
    let link = { (key: Int) in #"{"t": "link", "class": "Dog", "v": \#(key)}"# }
    let (server, file) = try begin("{\"t\": \"list\", \"v\": [\(link(7)), \(link(8))]}")
    #expect(try file.thing(1) == .list([.null, .null]))
    try server.rows("insert into app.\"Dog\" (id) values (8)")
    try file.pull()
    #expect(try file.thing(1) == .list([.null, try dog(file, 8)]))
    #expect(file.client.unresolvedCount == 1)
    try file.restart()
    try server.rows("insert into app.\"Dog\" (id) values (7)")
    try file.pull()
    #expect(try file.thing(1) == .list([try dog(file, 7), try dog(file, 8)]))
    #expect(file.client.unresolvedCount == 0)
    let before = try server.rows("select thing from app.\"Person\"")
    try server.rows("delete from app.\"Dog\" where id = 8")
    try file.pull()
    #expect(try file.thing(1) == .list([try dog(file, 7), .null]))
    try file.write { _ in file.delete(Model.dog, .int(7)) }
    try file.transfer()
    #expect(try file.thing(1) == .list([.null, .null]))
    #expect(try server.rows("select thing from app.\"Person\"") == before)
    try server.rows("insert into app.\"Dog\" (id) values (7), (8)")
    try file.pull()
    #expect(try file.thing(1) == .list([try dog(file, 7), try dog(file, 8)]))
  }

  @Test func aMixedLinkWhoseTargetTheUserDeletesIsReadAgain() throws {
    let (server, file) = try begin(#"{"t": "link", "class": "Dog", "v": 7}"#)
    try server.rows("insert into app.\"Dog\" (id) values (7)")
    try file.pull()
    #expect(try file.thing(1) == (try dog(file, 7)))
    let before = try server.rows("select thing from app.\"Person\"")
    try file.write { _ in file.delete(Model.dog, .int(7)) }
    try file.transfer()
    #expect(try file.thing(1) == .null)
    #expect(try server.rows("select thing from app.\"Person\"") == before)
    #expect(file.client.unresolvedCount == 1)
  }

  @Test func aLinkToAClassThatTheFileDoesNotHaveStays() throws {
    let (server, file) = try begin(#"{"t": "link", "class": "Robot", "v": 7}"#)
    #expect(try file.thing(1) == .null)
    try file.write { $0.table(Model.person).setString(Model.name, file.row(Model.person, .int(1))!, "Ada") }
    try file.transfer()
    #expect(
      try server.rows("select name, thing ->> 'class' from app.\"Person\"") == ["Ada Robot"])
  }

  @Test func whatAnSQLProgramWritesWronglyChangesNothingAndIsReported() throws {
    let (server, file) = try begin(#"{"t": "int", "v": 5}"#)
    let wrong = [
      "5", "\"text\"", "[]", "{}", #"{"t": "int"}"#, #"{"t": "int", "v": "5"}"#, #"{"t": "int", "v": 5.5}"#,
      #"{"t": "int", "v": 9223372036854775808}"#, #"{"t": "integer", "v": 5}"#,
      #"{"t": "date", "v": "yesterday"}"#, #"{"t": "uuid", "v": "12"}"#, #"{"t": "data", "v": "\\x0"}"#,
      #"{"t": "float", "v": 1e300}"#, #"{"t": "link", "v": 5}"#,
      #"{"t": "link", "v": "a", "class": "Dog"}"#, #"{"t": "list", "v": [5]}"#,
      #"{"t": "dictionary", "v": [null]}"#, #"{"t": "decimal128", "v": "much"}"#,
    ]
    for text in wrong {
      try server.rows("update app.\"Person\" set name = name || 'x', thing = \(SQLText.literal(text))")
      try file.pull()
      #expect(try file.thing(1) == .int(5), "\(text)")
    }
    #expect(file.unreadable.count == wrong.count && file.unreadable[0].property == "thing")
    #expect(file.client.facts.unreadable == wrong.count)
    let row = try #require(file.row(Model.person, .int(1)))
    #expect(file.writer.table(Model.person).string(Model.name, row).count == wrong.count)
    // An object that comes with such a value is null there.
    try server.rows("insert into app.\"Person\" (id, thing) values (2, '5')")
    try file.transfer()
    #expect(try file.thing(2) == .null)
    try server.rows(#"update app."Person" set thing = '{"t": "int", "v": 6}'"#)
    try file.pull()
    #expect(try file.thing(1) == .int(6) && file.thing(2) == .int(6))
  }

  @Test func anObjectWithAValueThatCannotBeSentIsRejectedAlone() throws {
    let (server, file) = try begin(#"{"t": "int", "v": 5}"#)
    let values: [Value] = [
      .string("a\0b"), .dictionary([.init(key: "a\0", value: .null)]),
      .dictionary([.init(key: "\0link", value: .list([.string("Dog"), .int(1)]))]), .date(.nan),
      .list([.list([.string("\0")])]),
    ]
    for (number, value) in values.enumerated() {
      try write(file, value)
      try file.write { _ in file.create(Model.dog, .int(Int64(number))) }
      try file.transfer()
      #expect(file.rejected.count == number + 1)
      #expect(try file.thing(1) == .int(5))
    }
    #expect(try server.rows("select count(*) from app.\"Dog\"") == ["\(values.count)"])
  }
}
