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
