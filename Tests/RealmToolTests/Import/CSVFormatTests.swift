import Foundation
import TestSupport
import Testing

@testable import RealmTool

/// CSV as spreadsheets, pandas and R write it, and what the user says where its text does not tell.
struct CSVFormatTests {
  private let folder = ScratchFolder()
  private var path: String { folder.path("new.realm") }

  private func run(_ content: String, _ options: String...) throws -> RealmProgram.Outcome {
    try RealmProgram.run(
      ["import", path, "-", "--class", "C", "--format", "csv"] + options, input: Data(content.utf8))
  }

  private func lines() throws -> [String] {
    try RealmProgram.run("query", path, "C", "--format", "jsonl").output.split(separator: "\n").map(
      String.init)
  }

  private func expectRefusal(
    _ content: String, _ options: [String], _ message: String, status: Int32 = 3,
    _ place: SourceLocation = #_sourceLocation
  ) throws {
    let outcome = try RealmProgram.run(
      ["import", path, "-", "--class", "C", "--format", "csv"] + options, input: Data(content.utf8))
    #expect(outcome.status == status, sourceLocation: place)
    #expect(outcome.error.contains(message), "\(outcome.error)", sourceLocation: place)
    #expect(!FileManager.default.fileExists(atPath: path), sourceLocation: place)
  }

  // MARK: Names

  @Test(arguments: [",name\n0,a\n1,b\n", "\"\",\"name\"\n\"0\",\"a\"\n\"1\",\"b\"\n"])
  func firstFieldWithoutNameIsCalledIndex(content: String) throws {
    let outcome = try run(content)
    #expect(
      outcome.error
        == "the standard input: Field 1 has no name in line 1: its property is called 'index'.\n")
    #expect(try lines() == [#"{"index":0,"name":"a"}"#, #"{"index":1,"name":"b"}"#])
  }

  @Test func namesThatComeAgainAreNumbered() throws {
    let outcome = try run("a,a_2,a,,a\n1,2,3,4,5\n")
    #expect(
      outcome.error.contains("Field 3 is the second one called 'a' in line 1: its property is called 'a_3'."))
    #expect(try lines() == [#"{"a":1,"a_2":2,"a_3":3,"column_4":4,"a_4":5}"#])
  }

  @Test(arguments: ["1,Oslo\n2,Bergen\n", "Oslo,2024-01-01\n", "x,true\n", "-1.5,x\n"])
  func firstLineThatLooksLikeDataIsRefused(content: String) throws {
    try expectRefusal(content, [], "line 1: '")
    try expectRefusal(content, [], "looks like data, and not like the name of a field: --header a,b,c")
  }

  @Test func headerOptionKeepsTheFirstLine() throws {
    #expect(try run("1,Oslo\n2,Bergen\n", "--header", "id, name").status == 0)
    #expect(try lines() == [#"{"id":1,"name":"Oslo"}"#, #"{"id":2,"name":"Bergen"}"#])
    #expect(try run("3\n", "--header", "id,name").error.contains("line 1: 1 field where --header has 2"))
  }

  @Test func yearsCanBeNames() throws {
    #expect(try run("country,2019,2020\nNO,1,2\n", "--has-header").status == 0)
    #expect(try lines() == [#"{"country":"NO","2019":1,"2020":2}"#])
    // Names that the class has are names.
    #expect(try run("2019,country,2020\n3,SE,4\n").status == 0)
    #expect(try lines().last == #"{"country":"SE","2019":3,"2020":4}"#)
  }

  @Test func wrongOptionsAreRefused() throws {
    for (options, message) in [
      (["--header", "a,,b"], "--header: the name of field 2 is empty."),
      (["--header", "a,a"], "--header: 'a' is given twice."),
      (["--header", "a", "--has-header"], "--header and --has-header exclude each other."),
      (["--separator", "ab"], "--separator: 'ab' is not valid"),
      (["--type", "a"], "--type: 'a' is not PROPERTY=TYPE."),
      (["--type", "a=strin"], "--type: 'strin' is none of int, bool, string"),
      (["--type", "b=string"], "--type: no inferred class has a property 'b'."),
    ] { try expectRefusal("a\n1\n", options, message, status: 2) }
    let json = try RealmProgram.run(
      "import", path, "-", "--class", "C", "--format", "json", "--null", "NA", input: "{}")
    #expect(json.status == 2)
    #expect(json.error.contains("--null applies to CSV sources only: add --format csv if a source is CSV."))
  }

  // MARK: Fields

  @Test(arguments: [("|", "|"), ("tab", "\t"), (";", ";"), (":", ":")])
  func separatorCanBeGiven(option: String, separator: String) throws {
    #expect(try run("a\(separator)b\n1,5\(separator)x,y\n", "--separator", option).status == 0)
    #expect(try lines() == [#"{"a":"1,5","b":"x,y"}"#])
  }

  /// A text in quotes is a text.
  @Test func nullTextsAreNull() throws {
    #expect(try run("n,t\n1,NA\nNA,\"NA\"\nnull,x\n", "--null", "NA", "--null", "null").status == 0)
    #expect(try lines() == [#"{"n":1,"t":null}"#, #"{"n":null,"t":"NA"}"#, #"{"n":null,"t":"x"}"#])
  }

  @Test func typesCanBeGiven() throws {
    let outcome = try run(
      "zip,n,d,any\n12345,1,7,1\n,2,8,x\n", "--type", "zip=string", "--type", "C.n=double", "--type",
      "d=decimal128", "--type", "any=mixed")
    #expect(outcome.error == "")
    #expect(outcome.output.contains("zip  string?\n  n    double\n  d    decimal128\n  any  mixed\n"))
    #expect(try lines().first == #"{"zip":"12345","n":1.0,"d":"7","any":1}"#)
    try FileManager.default.removeItem(atPath: path)
    try expectRefusal(
      "n\n1\nx\n", ["--type", "n=int"], "line 3: property 'n' of class 'C' is of type int: 'x' is not valid")
  }

  @Test func raggedLinesAreRefusedFilledOrLeftOut() throws {
    let content = "a,b\n1,2\n3\n4,5\n"
    try expectRefusal(
      content, [], "line 3: 1 field where the first line has 2: --ragged fill takes missing fields as null")
    try expectRefusal("a,b\n1,2,3\n", ["--ragged", "fill"], "line 2: 3 fields where the first line has 2")
    let left = try run(content, "--ragged", "skip")
    #expect(left.error.contains("1 line left out, of too few or too many fields."))
    #expect(try lines() == [#"{"a":1,"b":2}"#, #"{"a":4,"b":5}"#])
    try FileManager.default.removeItem(atPath: path)
    #expect(try run(content, "--ragged", "fill").status == 0)
    #expect(try lines() == [#"{"a":1,"b":2}"#, #"{"a":3,"b":null}"#, #"{"a":4,"b":5}"#])
  }

  @Test func booleansMayHaveCapitals() throws {
    #expect(try run("a,b,c\nTrue,TRUE,true\nFalse,FALSE,yes\n").status == 0)
    #expect(
      try lines() == [#"{"a":true,"b":true,"c":"true"}"#, #"{"a":false,"b":false,"c":"yes"}"#])
  }

  /// Programs write object ids without capitals; a checksum or a serial number has them.
  @Test func hexadecimalDigitsWithCapitalsAreText() throws {
    #expect(try run("a,b\n65d2c0ffee65d2c0ffee1234,65D2C0FFEE65D2C0FFEE1234\n").status == 0)
    #expect(
      try RealmProgram.run("schema", path).output == "C\n  a  objectId\n  b  string\n")
    #expect(try lines() == [#"{"a":"65d2c0ffee65d2c0ffee1234","b":"65D2C0FFEE65D2C0FFEE1234"}"#])
  }

  @Test func identifiersAreExportedInLowerCase() throws {
    #expect(try run("u\n550e8400-e29b-41d4-a716-446655440000\n").status == 0)
    #expect(
      try RealmProgram.run("export", path, "--format", "csv").output
        .hasSuffix("550e8400-e29b-41d4-a716-446655440000\r\n"))
  }

  @Test(arguments: [
    ("milliseconds", "1700000000123", "1700000000123.0"), ("seconds", "1700000000.123", "1700000000.123"),
  ])
  func numbersAreDates(unit: String, field: String, number: String) throws {
    #expect(try run("d\n\(field)\n2024-01-01\n", "--type", "d=date", "--dates", unit).status == 0)
    let json = "{\"d\":\(field)}{\"d\":\(number)}"
    let outcome = try RealmProgram.run(
      "import", path, "-", "--class", "C", "--format", "json", "--dates", unit, input: json)
    #expect(outcome.status == 0)
    let found = try lines()
    #expect(found.count == 4)
    for line in [found[0], found[2], found[3]] { #expect(line.hasPrefix(#"{"d":"2023-11-14T22:13:20.12"#)) }
    #expect(found[1] == #"{"d":"2024-01-01T00:00:00Z"}"#)
    let refused = try RealmProgram.run(
      "import", path, "-", "--class", "C", "--format", "json", input: json)
    #expect(refused.error.contains("property 'd' of class 'C' is of type date: \(field) is not valid"))
  }

  @Test func millisecondsAreExact() throws {
    #expect(try run("d\n1700000000123\n", "--type", "d=date", "--dates", "milliseconds").status == 0)
    #expect(try lines() == [#"{"d":"2023-11-14T22:13:20.123Z"}"#])
  }

  @Test func namesWithSpacesAreQuotedInPredicates() throws {
    #expect(try run("first name,a.b\nAda,1\nBob,2\n").status == 0)
    #expect(
      try RealmProgram.run("query", path, "C", "`first name` == 'Ada' AND `a.b` < 2").output
        == "{\"first name\":\"Ada\",\"a.b\":1}\n")
  }

  // MARK: Pieces

  /// Fields of any length, in quotes or not, lie over the ends of the pieces in which a file is read.
  @Test(arguments: TestLength.seeds([61, 62, 63], short: 1))
  func randomFieldsAreReadAsTheyWere(seed: UInt64) throws {
    var generator = SeededGenerator(printing: seed)
    var text = "n,t,d,b\r\n"
    var expected: [String] = []
    for _ in 0..<6_000 {
      let number =
        Int64.random(in: .min ... .max, using: &generator) >> Int64.random(in: 0..<64, using: &generator)
      let content = String(
        (0..<Int.random(in: 0..<200, using: &generator)).map { _ in
          "ab\",\r\n é日;x".unicodeScalars.randomElement(using: &generator).map(Character.init)!
        })
      let double = Double(Int.random(in: -100_000...100_000, using: &generator)) / 100
      let flag: Bool? = Bool.random(using: &generator) ? Bool.random(using: &generator) : nil
      let quoted = "\"\(content.replacing("\"", with: "\"\""))\""
      text += "\(number),\(quoted),\(double),\(flag.map { "\($0)" } ?? "")"
      text += ["\n", "\r\n"].randomElement(using: &generator)!
      var json: [UInt8] = []
      json.appendJSON(content)
      expected.append(
        "{\"n\":\(number),\"t\":\(String(decoding: json, as: UTF8.self)),\"d\":\(double),\"b\":\(flag.map { "\($0)" } ?? "null")}"
      )
    }
    #expect(text.utf8.count > 600_000)
    let outcome = try run(text)
    #expect(outcome.error == "")
    let found = try lines()
    #expect(found.count == expected.count)
    for (a, b) in zip(found, expected).filter({ $0 != $1 }).prefix(5) { #expect(a == b) }
    #expect(try RealmProgram.run("verify", path).status == 0)
  }
}
