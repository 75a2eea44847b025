import Storage
import Sync
import TestSupport
import Testing

/// Sets of mixed values between files, a real server, and SQL programs.
@Suite struct MixedSetTests {
  private static let marks = MixedModel.marks
  private static let toy = Value.uuid(.init(high: 0, low: 7))

  private final class File: ClientFile {
    init(_ settings: PostgresSettings, _ clock: StoryClock) throws {
      try super.init(MixedModel.catalogue, MixedModel.make(), settings: settings, clock: clock.next)
    }

    var box: Int { row(MixedModel.box, .int(1))! }

    /// The link to the toy.
    func link() -> Value { .link(table: MixedModel.toy, row: row(MixedModel.toy, MixedSetTests.toy)!) }

    func marks() throws -> [Value] {
      try writer.advance()
      return writer.table(MixedModel.box).elements(MixedSetTests.marks, box)
    }

    func add(_ values: Value...) throws {
      try write { snapshot in
        for value in values { snapshot.table(MixedModel.box).insertIntoSet(MixedSetTests.marks, box, value) }
      }
    }

    func remove(_ value: Value) throws {
      try write { snapshot in
        let boxes = snapshot.table(MixedModel.box)
        let found = boxes.position(MixedSetTests.marks, box, ofElement: value)
        #expect(found.isFound)
        boxes.removeElements(MixedSetTests.marks, box, found.position..<found.position + 1)
      }
    }
  }

  /// A server and two files with a box and a toy.
  private final class Story: ModelServer {
    private let clock = StoryClock()
    private(set) var files: [File] = []

    init() throws {
      try super.init(MixedModel.make())
      files = [try File(settings, clock), try File(settings, clock)]
      try files[0].write { _ in
        files[0].create(MixedModel.toy, MixedSetTests.toy)
        files[0].create(MixedModel.box, .int(1))
      }
      try exchange()
    }

    /// Lets everything arrive, and returns what both files have then.
    @discardableResult
    func exchange() throws -> [Value] {
      for _ in 0..<2 {
        for file in files { try file.transfer() }
      }
      for file in files { #expect(try !file.client.push()) }
      let (first, second) = (try files[0].marks(), try files[1].marks())
      #expect(first.areExactly(second), "\(first), and the other has \(second)")
      return first
    }

    /// The values of the server, by their types.
    func values() throws -> [String] {
      try rows("select value ->> 't', value ->> 'v' from app.\"Box.marks\" order by 1, 2")
    }
  }

  @Test func valuesOfAllTypesArrive() throws {
    let story = try Story()
    let values: [Value] = [
      .null, .bool(true), .int(5), .int(.max), .double(0.5), .float(0.1), .double(0.1), .double(1e300),
      .double(.nan),
      .double(-.infinity), .double(-0.0), .string("a"), .string("1"), .data([1, 255]), .date(1.5),
      .date(-200_000_000_000), .date(-62_135_596_800.25), .date(9e12),
      .date(.infinity), .double(.leastNonzeroMagnitude), .float(.leastNonzeroMagnitude),
      .float(.greatestFiniteMagnitude),
      .double(.greatestFiniteMagnitude),
      story.files[0].link(),
      .objectId(.init(high: 1, low: 2)), .uuid(.init(high: 3, low: 4)),
    ]
    for value in values { try story.files[0].add(value) }
    #expect(try story.exchange().count == values.count)
    for value in values where !value.isNull {
      let isThere = try story.files[1].marks().contains { $0.isExactly(value) }
      #expect(isThere, "\(value)")
    }
    #expect(try story.values().count == values.count)
    for file in story.files {
      #expect(file.unreadable.isEmpty)
      #expect(try file.client.audit()?.differences == 0)
    }
    for value in values { try story.files[1].remove(value) }
    #expect(try story.exchange().isEmpty && story.values().isEmpty)
  }

  @Test func numbersOfSeveralTypesAreOneElement() throws {
    let story = try Story()
    let (first, second) = (story.files[0], story.files[1])
    try first.add(.int(1), .double(2), .float(0.5))
    try second.add(.double(1), .float(2), .double(0.5))
    #expect(try story.exchange().areExactly([.double(0.5), .double(1), .float(2)]))
    #expect(try story.values() == ["double 0.5", "double 1.0", "float 2.0"])
    // Of another type since then, and removed by a file that has not seen that.
    try first.remove(.double(1))
    try first.add(.int(1))
    try second.remove(.double(2))
    #expect(try story.exchange().areExactly([.double(0.5), .int(1)]))
    try second.remove(.int(1))
    try first.add(.double(0.25))
    #expect(try story.exchange().areExactly([.double(0.25), .double(0.5)]))
    #expect(try story.values() == ["double 0.25", "double 0.5"])
    for file in story.files { #expect(try file.client.audit()?.differences == 0) }
  }

  @Test func datesOfOneMicrosecondAreOneElement() throws {
    let story = try Story()
    try story.files[0].add(.date(1.5), .date(1.500_000_2))
    try story.files[1].add(.date(1.500_000_1))
    #expect(try story.exchange().areExactly([.date(1.5)]))
    #expect(try story.values().count == 1)
  }

  @Test(arguments: [false, true]) func linksWhoseTargetIsDeletedLeaveAndComeBack(isUser: Bool) throws {
    let story = try Story()
    try story.files[0].add(story.files[0].link(), .int(1))
    try story.exchange()
    if isUser {
      try story.files[0].write { _ in story.files[0].delete(MixedModel.toy, Self.toy) }
    } else {
      try story.rows("delete from app.\"Toy\"")
    }
    #expect(try story.exchange().areExactly([.int(1)]))
    try story.files[0].add(.int(2))
    try story.files[0].restart()
    #expect(try story.exchange().areExactly([.int(1), .int(2)]))
    #expect(try story.values().count == 3)
    try story.rows("insert into app.\"Toy\" (id) values ('00000000-0000-0000-0000-000000000007')")
    #expect(try story.exchange().areExactly([.int(1), .int(2), story.files[0].link()]))
  }

  @Test func decimalsAreRejected() throws {
    let story = try Story()
    try story.files[0].add(.int(1))
    try story.exchange()
    let decimal = Value.decimal128(try #require(Fixed16(decimalText: "0.1")))
    try story.files[0].add(decimal, .string("with it"))
    #expect(try story.exchange().areExactly([.int(1), .string("with it")]))
    let rejected = try #require(story.files[0].rejected.first)
    #expect(rejected.elements["marks"]?.values.contains(ExactValue(decimal)) == true)
    #expect("\(rejected.reason)".contains("Decimal128"))
    try story.files[0].add(.string("later"))
    #expect(try story.exchange().count == 3)
  }

  @Test func elementsOfSQLProgramsAreReadIfTheyFit() throws {
    let story = try Story()
    func insert(_ value: String) throws {
      try story.rows(
        "insert into app.\"Box.marks\" (owner, value) values (1, \(value)) on conflict do nothing")
    }
    try insert("'{\"t\": \"double\", \"v\": 1e0}'")
    try insert("'{\"t\": \"int\", \"v\": 1}'")
    try insert("'{\"t\": \"uuid\", \"v\": \"00000000-0000-0000-0000-00000000000A\"}'")
    try insert("'{\"t\": \"uuid\", \"v\": \"00000000-0000-0000-0000-00000000000a\"}'")
    try insert("'{\"t\": \"uuid\", \"v\": \"0000000000000000000000000000000a\"}'")
    for date in ["2026-01-02T03:04:05Z", "2026-01-02 03:04:05.000+00", "2026-01-02 04:04:05.0+01:00"] {
      try insert("'{\"t\": \"date\", \"v\": \"\(date)\"}'")
    }
    #expect(try story.exchange().count == 3)
    try story.rows("delete from app.\"Box.marks\" where value ->> 't' = 'date'")
    try insert("null")
    #expect(
      try story.exchange().areExactly([.null, .double(1), .uuid(.init(high: 0, low: 10))]))
    // The same element in another form is no second one, and what no set of a realm has is not read.
    let odd = [
      "5", "{\"t\": \"list\", \"v\": []}", "{\"t\": \"decimal128\", \"v\": \"1\"}",
      "{\"t\": \"link\", \"v\": \"00000000-0000-0000-0000-00000000000A\", \"class\": \"Toy\"}",
      "{\"t\": \"int\", \"v\": \"1\"}",
    ]
    for value in odd { try insert("'\(value)'") }
    #expect(try story.exchange().count == 3)
    for file in story.files {
      #expect(file.unreadable.count == odd.count)
      #expect(try file.client.audit()?.differences == 0)
    }
    try story.files[0].remove(.double(1))
    try story.rows("delete from app.\"Box.marks\" where value is null")
    try story.rows("update app.\"Box.marks\" set value = '{\"t\": \"int\", \"v\": 2}' where value = '5'")
    #expect(try story.exchange().areExactly([.int(2), .uuid(.init(high: 0, low: 10))]))
    #expect(try story.values().count == 1 + odd.count)
  }

  /// Removing what realms do not read removes nothing that they have in another form.
  @Test(arguments: [
    "{\"t\": \"decimal128\", \"v\": \"1\"}", "{\"t\": \"decimal128\", \"v\": \"0.5\"}",
    "{\"t\": \"link\", \"v\": \"00000000-0000-0000-0000-00000000000A\", \"class\": \"Toy\"}",
    "{\"t\": \"list\", \"v\": []}", "5",
  ])
  func removedValuesThatAreNotReadLeaveTheOthers(value: String) throws {
    let story = try Story()
    let toy = Value.uuid(.init(high: 0, low: 10))
    try story.files[0].write { snapshot in
      story.files[0].create(MixedModel.toy, toy)
      let link = Value.link(table: MixedModel.toy, row: story.files[0].row(MixedModel.toy, toy)!)
      snapshot.table(MixedModel.box).insertIntoSet(Self.marks, story.files[0].box, link)
    }
    try story.files[0].add(.int(1), .double(0.5), .int(5))
    let elements = try story.exchange()
    #expect(elements.count == 4)
    try story.rows("insert into app.\"Box.marks\" (owner, value) values (1, '\(value)')")
    #expect(try story.exchange().areExactly(elements))
    try story.rows("delete from app.\"Box.marks\" where value = '\(value)'")
    #expect(try story.exchange().areExactly(elements))
    for file in story.files { #expect(try file.client.audit()?.differences == 0) }
  }

  @Test func aDecimalThatWasRemovedBeforeItWasSentRemovesNoOtherNumber() throws {
    let story = try Story()
    let decimal = Value.decimal128(try #require(Fixed16(decimalText: "1")))
    try story.files[0].add(decimal)
    try story.files[0].remove(decimal)
    try story.files[1].add(.int(1))
    try story.files[1].transfer()
    #expect(try story.exchange().areExactly([.int(1)]))
  }

  @Test func theServerTellsNumbersApartAsRealmsDo() throws {
    let server = try ModelServer(MixedModel.make())
    let numbers = [
      0, 1, 0.1, 0.5, -2.5, 0x1p53, 0x1p63, -0x1p63, 0x1p62, 1e-300, 1e300, .nan, .infinity, -.infinity, -0.0,
    ]
    let ints: [Int64] = [0, 1, -1, 1 << 53, 1 << 53 + 1, 1 << 62, .max, .min, .max - 1]
    let values: [Value] =
      numbers.map { .double($0) } + numbers.map { .float(Float($0)) } + ints.map { .int($0) }
    let texts = try values.map { String(decoding: try ServerMixed.bytes(of: $0), as: UTF8.self) }
    let list = texts.map { "'\($0)'" }.joined(separator: ", ")
    let keys = try server.rows(
      "select realm.mixed_key(v) from unnest(array[\(list)]::jsonb[]) with ordinality t(v, n) order by n")
    for (index, value) in values.enumerated() {
      for (other, text) in zip(values, keys) {
        #expect((Value.order(value, other) == 0) == (keys[index] == text), "\(value) \(other)")
      }
    }
  }
}
