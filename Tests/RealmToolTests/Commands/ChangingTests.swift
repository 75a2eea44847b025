import Foundation
import TestSupport
import Testing

/// create, set, delete and diff.
struct ChangingTests {
  @Test func whatWasChangedIsTheDifference() throws {
    let folder = ScratchFolder()
    let path = try World.small(in: folder)
    let before = folder.path("before.realm")
    try FileManager.default.copyItem(atPath: path, toPath: before)
    #expect(
      try RealmProgram.run(
        "create", path, "Country", "code=FI", "name=Finland", "population=5518050", "area:=338455",
        "neighbours:=[\"SE\"]",
        "since=1917-12-06") == .init(status: 0, output: "FI\n"))
    #expect(
      try RealmProgram.run(
        "set", path, "Country", "NO", "population=5600000", "since:=null", "name=Norge og Noreg")
        == .init(status: 0, output: "Changed 1 object.\n"))
    #expect(
      try RealmProgram.run("delete", path, "Country", "IS", "--yes")
        == .init(status: 0, output: "Deleted 1 object.\n"))
    #expect(
      try RealmProgram.run("diff", before, path)
        == .init(
          status: 1,
          output: """
            - Country IS
            ~ Country NO  name: "Norway" → "Norge og Noreg", population: 5314336 → 5600000, since: "1905-06-07T00:00:00Z" → null
            + Country FI

            """.replacing(
              """
              - Country IS
              ~ Country NO  name: "Norway" → "Norge og Noreg", population: 5314336 → 5600000, since: "1905-06-07T00:00:00Z" → null
              """,
              with: """
                ~ Country NO  name: "Norway" → "Norge og Noreg", population: 5314336 → 5600000, since: "1905-06-07T00:00:00Z" → null
                - Country IS
                """)))
    #expect(
      try RealmProgram.run("diff", path, before, "--jsonl").output.split(separator: "\n").map {
        $0.prefix(45)
      }
        == [
          #"{"change":"changed","subject":"Country","key":"#,
          #"{"change":"removed","subject":"Country","key":"#,
          #"{"change":"added","subject":"Country","key":""#,
        ].map { $0.prefix(45) })
    #expect(try RealmProgram.run("diff", path, path).status == 0)
    #expect(try RealmProgram.run("verify", path).status == 0)
  }

  /// What other objects forbid is no mistake of the command line.
  @Test func objectsThatAreInTheWay() throws {
    let folder = ScratchFolder()
    let path = try World.small(in: folder)
    let taken = try RealmProgram.run("create", path, "Country", "code=NO")
    #expect(
      taken
        == .init(
          status: 3,
          error: "realm: there is a Country with the primary key 'NO' already: realm set changes it.\n"))
    let schema = folder.path("schema.json")
    try LookingTests.links.write(toFile: schema, atomically: true, encoding: .utf8)
    try "{\"id\":1}".write(toFile: folder.path("Node.jsonl"), atomically: true, encoding: .utf8)
    #expect(try RealmProgram.run("import", path, folder.path("Node.jsonl"), "--schema", schema).status == 0)
    let lost = try RealmProgram.run("set", path, "Node", "1", "best=9")
    #expect(lost.status == 3 && lost.error.contains("links to the Node '9'"), "\(lost.error)")
  }

  @Test func severalAtOnce() throws {
    let folder = ScratchFolder()
    let path = folder.path("world.realm")
    try FileManager.default.copyItem(atPath: World.path, toPath: path)
    let question = try RealmProgram.run("set", path, "City", "--where", "country == 'NO'", "timezone=X")
    #expect(question.status == 2 && question.error.contains("Change 41 objects of class 'City'?"))
    #expect(
      try RealmProgram.run("set", path, "City", "--where", "country == 'NO'", "timezone=X", "--yes").output
        == "Changed 41 objects.\n")
    #expect(try RealmProgram.run("query", path, "City", "timezone == 'X'", "--count").output == "41\n")
    #expect(
      try RealmProgram.run("delete", path, "City", "--where", "timezone == 'X'", "--yes").output
        == "Deleted 41 objects.\n")
    #expect(try RealmProgram.run("delete", path, "City", "--where", "timezone == 'X'", "--yes").status == 1)
    #expect(try RealmProgram.run("query", path, "City", "--count").output == "\(World.cityCount - 41)\n")
    #expect(try RealmProgram.run("verify", path).status == 0)
  }

  @Test func schemasDiffer() throws {
    let folder = ScratchFolder()
    let path = try World.small(in: folder)
    let other = folder.path("other.realm")
    _ = try RealmProgram.run(
      "import", other, "-", "--class", "Country", "--key-property", "code", "--format", "json",
      input: #"[{"code":"NO","name":null,"population":5314336.0,"flag":"x"}]"#)
    let outcome = try RealmProgram.run("diff", path, other)
    #expect(outcome.status == 1)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(lines.contains("- class Country.area  double"))
    #expect(lines.contains("+ class Country.flag  string"))
    #expect(lines.contains("~ class Country.name  string → string, optional"))
    #expect(lines.contains("~ class Country.population  int → double"))
    #expect(lines.contains("- Country SE"))
    let unlike = try RealmProgram.run("diff", path, World.path)
    #expect(unlike.output.contains("+ class City\n"))
  }

  /// Without a primary key objects are the same when all of their values are.
  @Test func objectsWithoutKeys() throws {
    let folder = ScratchFolder()
    let (a, b) = (folder.path("a.realm"), folder.path("b.realm"))
    for (path, lines) in [(a, "{\"n\":1}{\"n\":1}{\"n\":2}"), (b, "{\"n\":2}{\"n\":3}{\"n\":1}")] {
      #expect(
        try RealmProgram.run("import", path, "-", "--class", "C", "--format", "jsonl", input: lines).status
          == 0)
    }
    #expect(
      try RealmProgram.run("diff", a, b) == .init(status: 1, output: "+ C #1  {\"n\":3}\n- C #0  {\"n\":1}\n")
    )
    #expect(try RealmProgram.run("set", b, "C", "#1", "n=1").status == 0)
    #expect(try RealmProgram.run("diff", a, b).status == 0)
  }

  /// Keys may look like the numbers of rows.
  @Test func keysThatLookLikeRows() throws {
    let folder = ScratchFolder()
    let path = folder.path("new.realm")
    #expect(
      try RealmProgram.run(
        "import", path, "-", "--class", "C", "--key-property", "id", "--format", "jsonl",
        input: ##"{"id":"#1","n":1}{"id":"b","n":2}{"id":"c","n":3}"##
      ).status == 0)
    #expect(try RealmProgram.run("set", path, "C", "#1", "n=7").status == 0)
    #expect(try RealmProgram.run("get", path, "C", "#1").output.hasPrefix("C #1\n"))
    #expect(try RealmProgram.run("get", path, "C", "#2").output.hasPrefix("C c\n"))
    #expect(try RealmProgram.run("delete", path, "C", "#1", "--yes").status == 0)
    #expect(
      try RealmProgram.run("query", path, "C", "--format", "jsonl").output
        == "{\"id\":\"b\",\"n\":2}\n{\"id\":\"c\",\"n\":3}\n")
  }

  @Test func setsHaveNoOrder() throws {
    let folder = ScratchFolder()
    let schema = folder.path("schema.json")
    try #"""
    {"classes":[{"name":"N","properties":[{"name":"id","type":"int","primaryKey":true}]},
      {"name":"C","properties":[{"name":"id","type":"int","primaryKey":true},{"name":"s","type":"object","class":"N","collection":"set"}]}]}
    """#.write(toFile: schema, atomically: true, encoding: .utf8)
    var paths: [String] = []
    for (name, numbers) in [("a", "{\"id\":1}{\"id\":2}"), ("b", "{\"id\":2}{\"id\":1}")] {
      paths.append(folder.path("\(name).realm"))
      try numbers.write(toFile: folder.path("N.jsonl"), atomically: true, encoding: .utf8)
      try "{\"id\":1,\"s\":[1,2]}".write(toFile: folder.path("C.jsonl"), atomically: true, encoding: .utf8)
      #expect(
        try RealmProgram.run(
          "import", paths.last!, folder.path("N.jsonl"), folder.path("C.jsonl"), "--schema", schema
        ).error == "")
    }
    let stored = try paths.map { try RealmProgram.run("query", $0, "C").output }
    #expect(stored[0] != stored[1])
    #expect(try RealmProgram.run("diff", paths[0], paths[1]) == .init(status: 0))
  }
}
