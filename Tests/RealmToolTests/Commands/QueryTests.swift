import Foundation
import TestSupport
import Testing

struct QueryTests {
  @Test func theLargestCities() throws {
    let outcome = try RealmProgram.run(
      "query", World.path, "City", "population > 15000000", "--sort", "-population", "--properties",
      "id,name,country,population", "--format", "table")
    #expect(
      outcome
        == .init(
          status: 0,
          output: """
                 id  name       country  population
            1796236  Shanghai   CN         24874500
            1816670  Beijing    CN         18960744
            1795565  Shenzhen   CN         17494398
            1809858  Guangzhou  CN         16096724
            2314302  Kinshasa   CD         16000000
             745044  Istanbul   TR         15701602
            2332459  Lagos      NG         15388000

            """))
  }

  @Test func formatsForPrograms() throws {
    let folder = ScratchFolder()
    let path = try World.small(in: folder)
    func output(_ format: String, _ more: String...) throws -> String {
      try RealmProgram.run(["query", path, "Country", "--sort", "code", "--format", format] + more).output
    }
    #expect(
      try output("jsonl") == """
        {"code":"IS","name":"Iceland","population":353574,"area":103000.0,"neighbours":[],"since":null}
        {"code":"NO","name":"Norway","population":5314336,"area":324220.5,"neighbours":["FI","RU","SE"],"since":"1905-06-07T00:00:00Z"}
        {"code":"SE","name":"Sweden","population":10183175,"area":449964.0,"neighbours":["NO","FI"],"since":"1523-06-06T00:00:00Z"}

        """)
    #expect(
      try output("json", "--properties", "name", "--limit", "2") == """
        [
        {"name":"Iceland"},
        {"name":"Norway"}
        ]

        """)
    #expect(
      try output("csv") == """
        code,name,population,area,neighbours,since\r
        IS,Iceland,353574,103000.0,[],\r
        NO,Norway,5314336,324220.5,"[""FI"",""RU"",""SE""]",1905-06-07T00:00:00Z\r
        SE,Sweden,10183175,449964.0,"[""NO"",""FI""]",1523-06-06T00:00:00Z\r

        """)
    // In a pipe each object has a line.
    #expect(try RealmProgram.run("query", path, "Country", "--sort", "code").output == output("jsonl"))
  }

  /// A string is the only way to write a date, an object id or a UUID in a shell.
  @Test func datesAndIdentifiersAreWrittenAsStrings() throws {
    let folder = ScratchFolder()
    let path = folder.path("dated.realm")
    let imported = try RealmProgram.run(
      "import", path, "-", "--class", "Event", "--key-property", "key", "--format", "jsonl",
      input: """
        {"key":1,"when":"2024-05-01T10:00:00Z","id":"65f0a0b0c0d0e0f001020304","uuid":"4E1C2B0A-77F3-4D0B-9A55-0C2D6A0F1E3B","days":["2020-01-01","2021-01-01"],"price":"a"}
        {"key":2,"when":"2024-06-01","id":"65f0a0b0c0d0e0f001020305","uuid":"00000000-0000-0000-0000-000000000000","days":["2022-01-01"],"price":"b"}
        {"key":3,"when":null,"id":null,"uuid":null,"days":[],"price":"2024-05-01"}
        """)
    try #require(imported.status == 0, "\(imported.error)")
    func keys(_ predicate: String) throws -> String {
      let outcome = try RealmProgram.run(
        "query", path, "Event", predicate, "--sort", "key", "--properties", "key", "--format", "csv")
      return outcome.output.replacing("\r\n", with: " ").replacing("key ", with: "") + outcome.error
    }
    #expect(try keys(#"when > "2024-05-01""#) == "1 2 ")
    #expect(try keys("when < '2024-05-01T10:00:00.5Z'") == "1 ")
    #expect(try keys("when BETWEEN {'2024-05-15', '2024-07-01'}") == "2 ")
    #expect(try keys("when IN {'2024-06-01', null}") == "2 3 ")
    #expect(try keys("id == '65F0A0B0C0D0E0F001020304'") == "1 ")
    #expect(try keys("id IN {'65f0a0b0c0d0e0f001020305'}") == "2 ")
    #expect(try keys("uuid == '4e1c2b0a-77f3-4d0b-9a55-0c2d6a0f1e3b'") == "1 ")
    #expect(try keys("ANY days >= '2021-01-01'") == "1 2 ")
    #expect(try keys("days.@max < '2021-06-01'") == "1 ")
    #expect(try keys("'2024-06-01' == when") == "2 ")
    #expect(try keys("price == '2024-05-01'") == "3 ")
    #expect(
      try keys("when > 'yesterday'").contains(
        "Cannot compare value 'yesterday' of type 'String' to property 'when' of type 'date'. A date looks like 2024-05-17T08:30:00Z."
      ))
    let changed = try RealmProgram.run(
      "set", path, "Event", "--where", "when == '2024-06-01'", "price=c", "--yes")
    #expect(changed == .init(status: 0, output: "Changed 1 object.\n"))
    let deleted = try RealmProgram.run("delete", path, "Event", "--where", "when < '2024-05-15'", "--yes")
    #expect(deleted == .init(status: 0, output: "Deleted 1 object.\n"))
    #expect(try keys("TRUEPREDICATE") == "2 3 ")
  }

  /// A double would hold 100000000000000000000 for both.
  @Test func decimalLiteralsAreExact() throws {
    let folder = ScratchFolder()
    let path = folder.path("decimals.realm")
    let imported = try RealmProgram.run(
      "import", path, "-", "--class", "Account", "--key-property", "key", "--format", "jsonl",
      input: """
        {"key":1,"balance":100000000000000000000}
        {"key":2,"balance":100000000000000000001}
        """)
    try #require(imported.status == 0, "\(imported.error)")
    let deleted = try RealmProgram.run(
      "delete", path, "Account", "--where", "balance == 100000000000000000001", "--yes")
    #expect(deleted == .init(status: 0, output: "Deleted 1 object.\n"))
    let left = try RealmProgram.run("query", path, "Account", "--properties", "key", "--format", "jsonl")
    #expect(left.output == "{\"key\":1}\n")
  }

  @Test func nothingFound() throws {
    let folder = ScratchFolder()
    let path = try World.small(in: folder)
    func run(_ more: String...) throws -> RealmProgram.Outcome {
      try RealmProgram.run(["query", path, "Country", "population < 0"] + more)
    }
    #expect(try run() == .init(status: 1))
    #expect(try run("--count") == .init(status: 1, output: "0\n"))
    #expect(try run("--format", "json") == .init(status: 1, output: "[]\n"))
    #expect(try run("--format", "csv").output == "code,name,population,area,neighbours,since\r\n")
    #expect(try run("--format", "table").output == "code  name  population  area  neighbours  since\n")
    #expect(
      try RealmProgram.run("query", path, "Country", "--count", "--limit", "2")
        == .init(status: 0, output: "2\n"))
  }

  @Test func countsAndExplains() throws {
    #expect(try RealmProgram.run("query", World.path, "City", "--count").output == "\(World.cityCount)\n")
    #expect(try RealmProgram.run("query", World.path, "City", "country == 'NO'", "--count").output == "41\n")
    let explanation = try RealmProgram.run("query", World.path, "City", "id == 3143244", "--explain")
    #expect(explanation.status == 0)
    #expect(explanation.output.hasPrefix("City: all objects, \(World.cityCount)\n"))
    #expect(explanation.output.contains("rows: 1 estimated, 1 actual"))
  }

  @Test func pathsOverLinks() throws {
    let folder = ScratchFolder()
    let path = try World.converted("schema", in: folder)
    let outcome = try RealmProgram.run(
      "query", path, "Person", "address.town != nil", "--sort", "address.street,-id", "--limit", "2",
      "--properties",
      "#row,givenName,address.town", "--format", "csv")
    #expect(outcome.error == "")
    #expect(outcome.output.hasPrefix("#row,givenName,address.town\r\n"))
    #expect(outcome.output.split(separator: "\r\n").count == 3)
  }
}
