import Foundation
import TestSupport
import Testing

struct AggregateTests {
  private let folder = ScratchFolder()

  private func file() throws -> String {
    let path = folder.path("hikes.realm")
    let outcome = try RealmProgram.run(
      "import", path, "-", "--class", "Hike", "--format", "jsonl",
      input: """
        {"area":"North","guide":"Ann","length":10,"price":2.5,"day":"2024-05-02"}
        {"area":"North","guide":"Bob","length":20,"price":null,"day":"2024-05-01"}
        {"area":"South","guide":"Ann","length":5,"price":1.5,"day":null}
        {"area":null,"guide":"=x","length":7,"price":4,"day":"2024-06-01"}
        """)
    if outcome.status != 0 { fatalError(outcome.error) }
    return path
  }

  private func run(_ words: String..., path: String? = nil) throws -> RealmProgram.Outcome {
    try RealmProgram.run(["aggregate", path ?? file(), "Hike"] + words)
  }

  @Test func withoutAnOptionObjectsAreCounted() throws {
    let path = try file()
    #expect(try run(path: path) == .init(status: 0, output: "{\"count\":4}\n"))
    #expect(try run("--where", "length > 6", path: path) == .init(status: 0, output: "{\"count\":3}\n"))
    #expect(try run("--where", "length > 60", path: path) == .init(status: 1, output: "{\"count\":0}\n"))
  }

  @Test func oneLineForAll() throws {
    let path = try file()
    let outcome = try run(
      "--count", "--sum", "length,price", "--average", "price", "--min", "day", "--max", "length", path: path)
    #expect(
      outcome.output
        == #"{"count":4,"sum(length)":42,"sum(price)":8.0,"average(price)":2.6666666666666665,"min(day)":"2024-05-01T00:00:00Z","max(length)":20}"#
        + "\n")
    // Without a value there is a sum, and no other aggregate.
    let none = try run(
      "--where", "guide == 'Bob'", "--sum", "price", "--max", "price", "--average", "price", path: path)
    #expect(none.output == #"{"sum(price)":0.0,"average(price)":null,"max(price)":null}"# + "\n")
    #expect(none.status == 0)
  }

  @Test func groupsAreInTheOrderOfTheirKeys() throws {
    let path = try file()
    #expect(
      try run("--group-by", "area", "--count", "--sum", "length", "--format", "csv", path: path).output
        == "area,count,sum(length)\r\n,1,7\r\nNorth,2,30\r\nSouth,1,5\r\n")
    #expect(
      try run(
        "--group-by", "guide,area", "--max", "price", "--where", "area != NULL", "--format", "json",
        path: path
      )
      .output == """
        [
        {"guide":"Ann","area":"North","max(price)":2.5},
        {"guide":"Ann","area":"South","max(price)":1.5},
        {"guide":"Bob","area":"North","max(price)":null}
        ]

        """)
    #expect(
      try run("--group-by", "area", "--average", "length", "--format", "table", path: path).output == """
        area   average(length)
        null               7.0
        North             15.0
        South              5.0

        """)
    let nothing = try run("--group-by", "area", "--where", "length > 60", "--format", "json", path: path)
    #expect(nothing == .init(status: 1, output: "[]\n"))
  }

  @Test func formulasAreEscaped() throws {
    let outcome = try run(
      "--group-by", "guide", "--where", "length == 7", "--format", "csv", "--escape-formulas")
    #expect(outcome.output == "guide,count\r\n'=x,1\r\n")
  }

  @Test func keysMayBeOfLinkedObjects() throws {
    let path = folder.path("linked.realm")
    let schema = folder.path("schema.json")
    try """
    {"classes": [
      {"name": "Area", "properties": [{"name": "name", "type": "string", "primaryKey": true}]},
      {"name": "Hike", "properties": [
        {"name": "length", "type": "int"}, {"name": "area", "type": "object", "class": "Area", "optional": true}]}]}
    """.write(toFile: schema, atomically: true, encoding: .utf8)
    let areas = folder.path("Area.jsonl")
    try #"{"name":"North"}{"name":"South"}"#.write(toFile: areas, atomically: true, encoding: .utf8)
    let hikes = folder.path("Hike.jsonl")
    try
      #"{"length":1,"area":"South"}{"length":2,"area":"North"}{"length":4,"area":"South"}{"length":8,"area":null}"#
      .write(toFile: hikes, atomically: true, encoding: .utf8)
    let made = try RealmProgram.run("import", path, areas, hikes, "--schema", schema)
    try #require(made.status == 0, "\(made)")
    #expect(
      try run("--group-by", "area.name", "--sum", "length", "--format", "csv", path: path).output
        == "area.name,sum(length)\r\n,8\r\nNorth,2\r\nSouth,5\r\n")
    // A link is no value.
    let outcome = try run("--group-by", "area", path: path)
    #expect(outcome.status == 2 && outcome.error.contains("--group-by: "), "\(outcome)")
  }

  /// Beside what the library computes of single objects.
  @Test func citiesByCountry() throws {
    let outcome = try RealmProgram.run(
      "aggregate", World.path, "City", "--where", "population > 1000000", "--group-by", "country", "--count",
      "--sum",
      "population")
    let query = try RealmProgram.run(
      "query", World.path, "City", "population > 1000000", "--properties", "country,population", "--format",
      "csv")
    var expected: [String: (count: Int, sum: Int)] = [:]
    for line in query.output.split(separator: "\r\n").dropFirst() {
      let fields = line.split(separator: ",")
      expected[String(fields[0]), default: (0, 0)].count += 1
      expected[String(fields[0])]!.sum += try #require(Int(fields[1]))
    }
    #expect(expected.count > 20)
    let lines = expected.sorted { $0.key < $1.key }.map {
      #"{"country":"\#($0.key)","count":\#($0.value.count),"sum(population)":\#($0.value.sum)}"# + "\n"
    }
    #expect(outcome.output == lines.joined())
  }

  @Test func theShellHasIt() throws {
    let path = try file()
    let outcome = try RealmProgram.run("shell", path, input: "aggregate Hike --max length\nhelp\n")
    #expect(outcome.output.hasPrefix("{\"max(length)\":20}\n"))
    #expect(outcome.output.contains("\naggregate  count objects"))
    #expect(outcome.output.contains("\nquery      "))
  }

  @Test func groupingCanBeGivenInSeveralOptions() throws {
    let path = try file()
    #expect(
      try run("--group-by", "guide", "--group-by", "area", "--format", "csv", path: path)
        == run("--group-by", "guide,area", "--format", "csv", path: path))
  }

  /// Two columns of one title would be two members of one name in JSON.
  @Test(arguments: [
    (["--sum", "length,length"], "--sum: 'length' is there twice."),
    (["--sum", "length", "--sum", "length"], "--sum: 'length' is there twice."),
    (["--group-by", "area, area"], "--group-by: 'area' is there twice."),
    (["--max", ","], "--max: a name is missing in ','."),
    (["--group-by", "area,"], "--group-by: a name is missing in 'area,'."),
  ])
  func missingAndRepeatedNamesAreRefused(words: [String], message: String) throws {
    let outcome = try RealmProgram.run(["aggregate", try file(), "Hike"] + words)
    #expect(outcome.status == 2 && outcome.error.hasPrefix("realm: \(message)"), "\(outcome)")
  }

  @Test func aPropertyNamedCountKeepsItsName() throws {
    let path = folder.path("counts.realm")
    let made = try RealmProgram.run(
      "import", path, "-", "--class", "Hike", "--format", "jsonl", input: "{\"count\":7}\n{\"count\":7}")
    #expect(made.status == 0)
    #expect(try run("--group-by", "count", path: path).output == "{\"count\":7,\"count(*)\":2}\n")
  }
}
