import Foundation
import TestSupport
import Testing

@testable import RealmTool

struct ImportTests {
  private let folder = ScratchFolder()
  private var path: String { folder.path("new.realm") }

  private func write(_ name: String, _ content: String) throws -> String {
    try Data(content.utf8).write(to: folder.file(name))
    return folder.path(name)
  }

  private func lines(_ name: String = "C") throws -> [String] {
    try RealmProgram.run("query", path, name, "--format", "jsonl").output.split(separator: "\n").map(
      String.init)
  }

  @Test func citiesAreInferred() throws {
    let outcome = try RealmProgram.run(
      "import", path, World.cities, "--class", "City", "--key-property", "id")
    #expect(
      outcome
        == .init(
          status: 0,
          output: """
            Inferred:
            City
              id              int  primary key
              name            string
              country         string
              latitude        double
              longitude       double
              population      int
              timezone        string
              alternateNames  list of string

            City: \(Numbers.separated(World.cityCount)) objects added, from \(World.cities)

            """))
    #expect(try RealmProgram.run("verify", path).status == 0)
    // As they were.
    let original = try String(contentsOfFile: World.cities, encoding: .utf8).split(separator: "\n")
    let exported = try lines("City")
    #expect(original.count == exported.count)
    for (a, b) in zip(original, exported).filter({ $0.0 != $0.1 }).prefix(100) {
      let objects = try [String(a), b].map {
        try JSONSerialization.jsonObject(with: Data($0.utf8)) as? NSDictionary
      }
      #expect(objects[0] == objects[1])
    }
  }

  @Test func everyKindIsInferred() throws {
    let source = try write(
      "C.json",
      """
      [{"i":1,"d":1,"b":true,"s":"x","date":"2024-02-29","u":"4E1C2B0A-77F3-4D0B-9A55-0C2D6A0F1E3B","o":"65d2c0ffee65d2c0ffee1234",
        "n":null,"m":1,"e":{"a":1,"f":{"g":[1,null]}},"l":[{"h":1},{"h":2,"i":"x"}],"x":[[1],[2]],"z":[],"t":{"$date":"2024-01-01"}},
       {"i":null,"d":1.5,"b":false,"s":"2024-02-29","date":"2024-05-17T08:30:00.25+02:00","u":"4e1c2b0a-77f3-4d0b-9a55-0c2d6a0f1e3c",
        "o":"65d2c0ffee65d2c0ffee1235","n":null,"m":"y","e":null,"l":[],"x":[],"z":[],"t":1}]
      """)
    let outcome = try RealmProgram.run("import", path, source)
    #expect(outcome.error == "")
    #expect(
      outcome.output.hasPrefix(
        """
        Inferred:
        C
          i     int?
          d     double
          b     bool
          s     string
          date  date
          u     uuid
          o     objectId
          n     string?
          m     mixed
          e     CE?
          l     list of CL
          x     mixed
          z     list of mixed
          t     mixed

        CE (embedded)
          a  int
          f  CEF?

        CEF (embedded)
          g  list of int?

        CL (embedded)
          h  int
          i  string?

        """))
    #expect(
      try lines().last
        == #"{"i":null,"d":1.5,"b":false,"s":"2024-02-29","date":"2024-05-17T06:30:00.250Z","u":"4e1c2b0a-77f3-4d0b-9a55-0c2d6a0f1e3c","o":"65d2c0ffee65d2c0ffee1235","n":null,"m":"y","e":null,"l":[],"x":[],"z":[],"t":1}"#
    )
  }

  /// No integer is rounded because other values have decimals.
  @Test(arguments: ["C.json", "C.csv"]) func longIntegersStayWhatTheyAre(name: String) throws {
    let source = try write(
      name, name == "C.csv" ? "v\n9007199254740993\n0.5\n" : #"[{"v":9007199254740993},{"v":0.5}]"#)
    let outcome = try RealmProgram.run("import", path, source)
    #expect(outcome.output.hasPrefix("Inferred:\nC\n  v  mixed\n"))
    #expect(outcome.error == "C.v is mixed: it has integers that a double would round.\n")
    #expect(try lines() == [#"{"v":9007199254740993}"#, #"{"v":0.5}"#])
  }

  @Test func updates() throws {
    let first = try write("C.jsonl", "{\"id\":1,\"n\":1,\"l\":[1]}\n{\"id\":2,\"n\":2,\"l\":[]}\n")
    #expect(try RealmProgram.run("import", path, first, "--key-property", "id").status == 0)
    let second = try write(
      "more.jsonl", "{\"id\":3,\"n\":3,\"l\":[]}\n\n{\"id\":2,\"n\":5}\n{\"id\":1,\"n\":1,\"l\":[1]}\n")
    let refused = try RealmProgram.run("import", path, second, "--class", "C")
    #expect(
      refused
        == .init(
          status: 3,
          error: """
            realm: \(second), line 3: there is a C with the primary key 2 already: --update modified or all changes it. Nothing was imported.

            """))
    #expect(try lines().count == 2)
    let modified = try RealmProgram.run("import", path, second, "--class", "C", "--update", "modified")
    #expect(modified.output == "C: 1 object added, 1 updated, 1 unchanged, from \(second)\n")
    #expect(
      try lines() == [#"{"id":1,"n":1,"l":[1]}"#, #"{"id":2,"n":5,"l":[]}"#, #"{"id":3,"n":3,"l":[]}"#])
    let all = try RealmProgram.run("import", path, second, "--class", "C", "--update", "all")
    #expect(all.output == "C: 0 objects added, 3 updated, from \(second)\n")
  }

  @Test func linksMayComeBeforeTheirObjects() throws {
    let schema = try write("schema.json", LookingTests.links)
    let source = try write(
      "Node.jsonl",
      #"{"id":1,"best":2,"all":[1,3,2]}{"id":2,"best":null}{"id":3,"any":{"$class":"Node","$key":1}}"#)
    #expect(try RealmProgram.run("import", path, source, "--schema", schema).error == "")
    #expect(
      try lines("Node") == [
        #"{"id":1,"best":2,"all":[1,3,2],"any":null}"#, #"{"id":2,"best":null,"all":[],"any":null}"#,
        #"{"id":3,"best":null,"all":[],"any":{"$class":"Node","$key":1}}"#,
      ])
    let lost = try write("lost.jsonl", #"{"id":4,"best":9}"#)
    let outcome = try RealmProgram.run("import", path, lost, "--class", "Node")
    #expect(outcome.status == 3)
    #expect(
      outcome.error
        == "realm: \(lost), line 1: 'Node.best' links to the Node 9, which is neither in the file nor in the sources. Nothing was imported.\n"
    )
    #expect(try lines("Node").count == 3)
  }

  @Test func fromTheStandardInput() throws {
    let outcome = try RealmProgram.run(
      "import", path, "-", "--class", "C", "--format", "csv", input: "n,t\n1,a\n2,b\n")
    #expect(outcome.output.hasSuffix("C: 2 objects added, from the standard input\n"))
    #expect(
      try RealmProgram.shell(
        "printf '{\"n\":7,\"t\":\"c\"}' | realm import '\(path)' - --class C --format json"
      ).status == 0)
    #expect(
      try lines()
        == [#"{"$row":0,"n":1,"t":"a"}"#, #"{"$row":1,"n":2,"t":"b"}"#, #"{"$row":2,"n":7,"t":"c"}"#].map {
          $0.replacing(#""$row":0,"#, with: "").replacing(#""$row":1,"#, with: "").replacing(
            #""$row":2,"#, with: "")
        })
  }

  /// Each mistake is told with its line, and leaves the file as it was, or none.
  @Test(arguments: [
    ("C.json", "[{\"a\":1},\n{\"a\":}]", "line 2: '}' begins no value"),
    ("C.json", "[{\"a\":1}\n{\"a\":2}]", "line 2: a comma is missing between two objects"),
    ("C.json", "[{\"a\":1}", "line 1: the array does not end"),
    ("C.json", "[{\"a\":1}] x", "line 1: something follows the array"),
    ("C.json", "[1]", "line 1: an object is expected here, not 1"),
    ("C.json", "\n\n\"text\"", "line 3: an object is expected here, not 'text'"),
    (
      "C.jsonl", "{\"a\":1}\n{\"a\":\"x\n\"}",
      "line 2: a string goes over the end of the line, or has an unescaped control character"
    ),
    ("C.jsonl", "{\"a\":01}", "line 1: the number 01 begins with 0"),
    ("C.jsonl", "{\"a\":1.}", "line 1: '1.' is no number"),
    ("C.jsonl", "{\"a\":tru}", "line 1: a word is neither true, false nor null"),
    ("C.jsonl", "{\"a\":\"\\q\"}", "line 1: \\q means nothing in a string"),
    ("C.jsonl", "{\"a\":\"\\ud800x\"}", "line 1: half a surrogate pair"),
    ("C.jsonl", "{a:1}", "line 1: a name in quotes is missing"),
    ("C.jsonl", "{\"a\":{\"b\":1", "line 1: it ends within a value"),
    ("C.csv", "a,b\n1\n", "line 2: 1 field where the first line has 2"),
    ("C.csv", "a\n\"x\"y\n", "line 2: something follows the end of a quoted field"),
    ("C.csv", "a\n\"x\n\n", "line 2: a quoted field does not end"),
  ]) func mistakesInSources(name: String, content: String, message: String) throws {
    let source = try write(name, content)
    let outcome = try RealmProgram.run("import", path, source)
    #expect(outcome.status == 3)
    #expect(outcome.error.hasPrefix("realm: \(source), \(message)"), "\(outcome.error)")
    #expect(outcome.error.hasSuffix("Nothing was imported.\n"))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test(arguments: [
    (
      #"{"code":"XX","name":"X","population":"many","area":1}"#,
      "property 'population' of class 'Country' is of type int: 'many' is not valid"
    ),
    (
      #"{"code":"XX","name":"X","population":1.5,"area":1}"#,
      "property 'population' of class 'Country' is of type int: 1.5 is not valid"
    ),
    (
      #"{"code":"XX","name":null,"population":1,"area":1}"#,
      "property 'name' of class 'Country' cannot be null"
    ),
    (
      #"{"code":"XX","population":1,"area":1}"#,
      "property 'name' of class 'Country' is missing, and cannot be null"
    ),
    (#"{"name":"X"}"#, "the primary key 'code' of class 'Country' is missing"),
    (#"{"code":"XX","nam":"X"}"#, "class 'Country' has no property 'nam', did you mean 'name'?"),
    (
      #"{"code":"XX","name":"X","population":1,"area":1,"neighbours":"SE"}"#,
      "property 'neighbours' of class 'Country' is a list of string: 'SE' is not valid"
    ),
    (
      #"{"code":"XX","name":"X","population":1,"area":1,"neighbours":[null]}"#,
      "property 'neighbours' of class 'Country' cannot be null"
    ),
    (
      #"{"code":"XX","name":"X","population":1,"area":1,"since":"yesterday"}"#,
      "property 'since' of class 'Country' is of type date: 'yesterday' is not valid"
    ),
  ]) func valuesThatDoNotFit(line: String, message: String) throws {
    let small = try World.small(in: folder)
    let source = try write(
      "Country.jsonl", "{\"code\":\"FI\",\"name\":\"Finland\",\"population\":1,\"area\":2}\n" + line)
    let before = try RealmProgram.run("query", small, "Country").output
    let outcome = try RealmProgram.run("import", small, source)
    #expect(outcome.status == 3)
    #expect(outcome.error.hasPrefix("realm: \(source), line 2: \(message)"), "\(outcome.error)")
    #expect(try RealmProgram.run("query", small, "Country").output == before)
    #expect(try RealmProgram.run("verify", small).status == 0)
  }

  @Test func whatIsUnknownCanBeLeftOut() throws {
    let small = try World.small(in: folder)
    let source = try write(
      "Country.jsonl", #"{"code":"FI","name":"Finland","population":1,"area":2,"flag":"x"}"#)
    let refused = try RealmProgram.run("import", small, source)
    #expect(refused.status == 3)
    #expect(
      refused.error
        == "realm: \(source), line 1: class 'Country' has no property 'flag' (--ignore-unknown-keys leaves such keys out). Nothing was imported.\n"
    )
    let one = try RealmProgram.run("import", small, source, "--ignore-unknown-keys")
    #expect(one.status == 0)
    #expect(
      one.error
        == "Left out 1 key that is the name of no property: the first is 'flag' for class 'Country' in \(source), line 1.\n"
    )
    let table = try write(
      "Country.csv", "code,name,population,area,x,y\nDK,Denmark,1,2,3,4\nFO,Faroe,1,2,3,4\n")
    let many = try RealmProgram.run("import", small, table, "--ignore-unknown-keys")
    #expect(many.status == 0)
    #expect(many.error.contains("Left out 4 keys that are the name of no property: the first is 'x'"))
    #expect(
      try RealmProgram.run("import", small, source, "--ignore-unknown").error.contains(
        "Did you mean '--ignore-unknown-keys'?"))
  }

  @Test func badUTF8() throws {
    for name in ["C.jsonl", "C.csv"] {
      var bytes = Data(name == "C.csv" ? "a\nx\n\"".utf8 : "{\"a\":\"x\"}\n{\"a\":\"".utf8)
      bytes += [0xC3, 0x28]
      bytes += Data(name == "C.csv" ? "\"\n".utf8 : "\"}\n".utf8)
      try bytes.write(to: folder.file(name))
      let outcome = try RealmProgram.run("import", path, folder.path(name))
      #expect(outcome.status == 3)
      #expect(outcome.error.contains("no UTF-8: bring the file to UTF-8 first, for example with iconv"))
    }
    try Data([0xFF, 0xFE, 0x7B, 0]).write(to: folder.file("D.json"))
    #expect(
      try RealmProgram.run("import", path, folder.path("D.json")).error.contains("line 1: it is UTF-16"))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func deepNesting() throws {
    func source(_ depth: Int) throws -> String {
      try write(
        "C.json",
        "{\"a\":" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}")
    }
    #expect(try RealmProgram.run("import", path, source(1_000)).status == 0)
    #expect(
      try RealmProgram.run("query", path, "C").output == "{\"a\":" + String(repeating: "[", count: 1_000)
        + String(repeating: "]", count: 1_000) + "}\n")
    #expect(try RealmProgram.run("verify", path).status == 0)
    let tooDeep = try RealmProgram.run("import", path, source(1_001))
    #expect(tooDeep.status == 3)
    #expect(tooDeep.error.contains("lists and dictionaries lie more than 1000 deep within each other"))
    let deep = try RealmProgram.run("import", path, source(1_000_000))
    #expect(deep.status == 3)
    #expect(deep.error.contains("values lie more than 3010 deep within each other"))
  }

  /// What lies deeper could not be exported again.
  @Test func deepObjects() throws {
    func source(_ depth: Int) throws -> String {
      try write(
        "C.json",
        String(repeating: "{\"a\":", count: depth + 1) + "1" + String(repeating: "}", count: depth + 1))
    }
    let whole = try RealmProgram.run("import", path, source(500))
    #expect(whole.status == 0, "\(whole.error)")
    #expect(
      try RealmProgram.run("query", path, "C").output == String(contentsOfFile: source(500), encoding: .utf8)
        + "\n")
    let deep = try RealmProgram.run("import", folder.path("deep.realm"), source(501))
    #expect(deep.status == 3)
    #expect(deep.error.contains("objects lie more than 500 deep within each other"))
    // Also those that are linked, and not embedded.
    let schema = try write("schema.json", LookingTests.links)
    let links = try write(
      "Node.json",
      (0..<600).map { "{\"id\":\($0),\"best\":" }.joined() + "null"
        + String(repeating: "}", count: 600))
    let linked = try RealmProgram.run("import", folder.path("deep.realm"), links, "--schema", schema)
    #expect(linked.error.contains("objects lie more than 500 deep within each other"), "\(linked)")
  }

  @Test func commaSeparatedValues() throws {
    let huge = String(repeating: "long, \"\"quoted\"\"\n", count: 100_000)
    let source = try write(
      "C.csv",
      "\u{FEFF}name,text,number,zip,flag,when\r\n"
        + "\"a, b\",\"two\nlines\",1.5,01234,true,2024-01-01\r\n"
        + "\"say \"\"hi\"\"\",\"\",2,99999,false,\r\n"
        + "\r\n" + "c,\"\(huge)\",-3,00001,true,2024-01-02T03:04:05Z")
    #expect(try RealmProgram.run("import", path, source).error == "")
    #expect(
      try RealmProgram.run("schema", path).output == """
        C
          name    string
          text    string
          number  double
          zip     string
          flag    bool
          when    date?

        """)
    // A field that is nothing is an object of a single property.
    let single = try write("S.csv", "v\n1\n\n3\n")
    #expect(
      try RealmProgram.run("import", path, single).output.hasSuffix(
        "S: 3 objects added, from \(single)\n"))
    #expect(try lines("S").last == #"{"v":3}"#)
    let found = try lines()
    #expect(
      found[0]
        == #"{"name":"a, b","text":"two\nlines","number":1.5,"zip":"01234","flag":true,"when":"2024-01-01T00:00:00Z"}"#
    )
    #expect(
      found[1] == #"{"name":"say \"hi\"","text":"","number":2.0,"zip":"99999","flag":false,"when":null}"#)
    let object = try JSONSerialization.jsonObject(with: Data(found[2].utf8)) as? [String: Any]
    #expect(object?["text"] as? String == huge.replacing("\"\"", with: "\""))
    // Semicolons and tabs where they are more.
    let other = try write("D.csv", "a;b\n1;2,5\n")
    #expect(try RealmProgram.run("import", path, other).status == 0)
    #expect(try lines("D") == [#"{"a":1,"b":"2,5"}"#])
  }

  @Test func schemasThatAreWrong() throws {
    for (schema, message) in [
      ("{}", "it has no array 'classes'"), ("{\"classes\":[{}]}", "a class has no name"),
      ("[", "it ends within a value"),
      (
        #"{"classes":[{"name":"C","properties":[{"name":"a","type":"text"}]}]}"#,
        "class 'C': property 'a' has none of the types int"
      ),
      (#"{"classes":[{"name":"C","properties":[{"name":"a","type":"object"}]}]}"#, "is to have a class"),
      (
        #"{"classes":[{"name":"C","properties":[{"name":"a","type":"double","primaryKey":true}]}]}"#,
        "cannot be a primary key"
      ),
      (
        #"{"classes":[{"name":"C","properties":[{"name":"a","type":"object","class":"D"}]}]}"#,
        "Property 'C.a' links to class 'D'"
      ),
    ] {
      let source = try write("C.json", "{\"a\":1}")
      let outcome = try RealmProgram.run("import", path, source, "--schema", try write("schema", schema))
      #expect(outcome.status == 3)
      #expect(outcome.error.contains(message), "\(outcome.error)")
    }
  }
}
