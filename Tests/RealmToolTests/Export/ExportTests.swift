import CSQLite
import Foundation
import TestSupport
import Testing

/// What was exported is imported, and exported again as it was.
struct ExportTests {
  private let folder = ScratchFolder()

  @Test(arguments: ["schema", "types-small", "collections-small", "world"], ["jsonl", "json", "csv"])
  func roundTrip(sample: String, format: String) throws {
    let path = sample == "world" ? World.path : try World.converted(sample, in: folder)
    let (first, second, again) = (folder.path("first"), folder.path("second"), folder.path("again.realm"))
    #expect(try RealmProgram.run("export", path, "--to", first, "--format", format).status == 0)
    #expect(try RealmProgram.run("import", again, first).error == "")
    #expect(try RealmProgram.run("export", again, "--to", second, "--format", format).status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: first).sorted()
    #expect(try FileManager.default.contentsOfDirectory(atPath: second).sorted() == names)
    #expect(names.contains("schema.json"))
    for name in names {
      #expect(
        FileManager.default.contentsEqual(atPath: "\(first)/\(name)", andPath: "\(second)/\(name)"), "\(name)"
      )
    }
    #expect(try RealmProgram.run("diff", path, again) == .init(status: 0))
    #expect(try RealmProgram.run("verify", again).status == 0)
  }

  /// Classes may be called what no file can be called.
  @Test func namesOfClassesAreNoPaths() throws {
    let (path, out) = (folder.path("names.realm"), folder.path("out"))
    for name in ["../../up", "a.b", ".hidden", "100%", "schema"] {
      #expect(
        try RealmProgram.run("import", path, "-", "--class", name, "--format", "jsonl", input: "{\"n\":1}")
          .status == 0)
    }
    #expect(try RealmProgram.run("export", path, "--to", out).status == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: out).sorted() == [
        "%2e.%2f..%2fup.jsonl", "%2ehidden.jsonl", "100%25.jsonl", "a.b.jsonl", "schema.json", "schema.jsonl",
      ])
    let again = folder.path("again.realm")
    #expect(try RealmProgram.run("import", again, out).error == "")
    #expect(try RealmProgram.run("diff", path, again).status == 0)
    // Nor what the schema is called.
    let (json, third) = (folder.path("json"), folder.path("third.realm"))
    #expect(try RealmProgram.run("export", path, "--to", json, "--format", "json").error == "")
    #expect(FileManager.default.fileExists(atPath: "\(json)/%73chema.json"))
    #expect(try RealmProgram.run("import", third, json).error == "")
    #expect(try RealmProgram.run("diff", path, third).status == 0)
  }

  @Test func oneClassToTheStandardOutput() throws {
    let path = try World.small(in: folder)
    #expect(
      try RealmProgram.run("export", path, "--format", "csv").output
        == RealmProgram.run("query", path, "Country", "--format", "csv").output)
    let two = try RealmProgram.run("export", World.path)
    #expect(two.status == 2)
    #expect(two.error.contains("has 2 classes: choose one with --class, or give a folder with --to"))
    let countries = try RealmProgram.run("export", World.path, "--class", "Country")
    #expect(countries.output.split(separator: "\n").count == 252)
    let folder = self.folder.path("there")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    #expect(try RealmProgram.run("export", path, "--to", folder).error.contains("is there already"))
  }

  @Test func citiesInSQLite() throws {
    let path = folder.path("world.sqlite")
    let outcome = try RealmProgram.run("export", World.path, "--to", path, "--format", "sqlite")
    #expect(outcome == .init(status: 0, output: "Exported 34,510 objects of 3 classes to '\(path)'.\n"))
    let database = try Database(path)
    #expect(try database.rows("PRAGMA integrity_check") == [["ok"]])
    #expect(try database.rows("PRAGMA foreign_key_check") == [])
    #expect(
      try database.rows("SELECT count(*), sum(population) FROM City") == [["34006", try Self.population()]])
    #expect(
      try database.rows(
        "SELECT c.name, k.name FROM Country c JOIN CountryCurrency k ON c.currency = k._row WHERE c.code = 'NO'"
      ) == [["Norway", "Krone"]])
    #expect(
      try database.rows("SELECT value FROM Country_neighbours WHERE owner = 'NO' ORDER BY position") == [
        ["FI"], ["RU"], ["SE"],
      ])
    #expect(try database.rows("SELECT count(*) FROM City_alternateNames")[0][0] == Self.alternateNames())
  }

  private static func cities() throws -> [[String: Any]] {
    try String(contentsOfFile: World.cities, encoding: .utf8).split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
    }
  }

  private static func population() throws -> String {
    String(try cities().reduce(0) { $0 + ($1["population"] as? Int ?? 0) })
  }

  private static func alternateNames() throws -> String {
    String(try cities().reduce(0) { $0 + (($1["alternateNames"] as? [String])?.count ?? 0) })
  }

  /// Names that SQLite takes for the same, and keys that are null.
  @Test func namesInSQLite() throws {
    let (path, out) = (folder.path("names.realm"), folder.path("names.sqlite"))
    let schema = folder.path("schema.json")
    try #"""
    {"classes":[
      {"name":"A","properties":[
        {"name":"id","type":"string","optional":true,"primaryKey":true},{"name":"b","type":"int","collection":"list"},
        {"name":"s","type":"int","collection":"set"},{"name":"x","type":"int"},{"name":"X","type":"int","indexed":true}]},
      {"name":"A_b","properties":[{"name":"_row","type":"int"},{"name":"to","type":"object","target":"a"}]},
      {"name":"a","properties":[{"name":"n","type":"int"}]},
      {"name":"A_X_index","properties":[{"name":"n","type":"int"}]},
      {"name":"sqlite_x","properties":[{"name":"n","type":"int"}]}]}
    """#.write(toFile: schema, atomically: true, encoding: .utf8)
    for (name, content) in [
      ("A", #"{"id":null,"b":[1,2],"s":[3],"x":1,"X":2}{"id":"k","b":[4],"s":[],"x":3,"X":4}"#),
      ("a", #"{"$row":0,"n":5}"#), ("A_b", #"{"_row":9,"to":{"$row":0}}"#), ("sqlite_x", #"{"n":1}"#),
    ] {
      let outcome = try RealmProgram.run(
        "import", path, "-", "--class", name, "--format", "jsonl", "--schema", schema, input: content)
      if name != "A_b" { #expect(outcome.error == "") }
    }
    #expect(try RealmProgram.run("create", path, "A_b", "_row=9").status == 0)
    let outcome = try RealmProgram.run("export", path, "--to", out, "--format", "sqlite")
    #expect(outcome.error == "")
    let database = try Database(out)
    #expect(try database.rows("PRAGMA integrity_check") == [["ok"]])
    #expect(try database.rows("PRAGMA foreign_key_check") == [])
    #expect(try database.rows("SELECT id, x, \"X_\" FROM A") == [["null", "1", "2"], ["k", "3", "4"]])
    #expect(
      try database.rows("SELECT owner, position, value FROM \"A_b_\"") == [
        ["null", "0", "1"], ["null", "1", "2"], ["k", "0", "4"],
      ])
    #expect(try database.rows("SELECT owner, value FROM A_s") == [["null", "3"]])
    #expect(try database.rows("SELECT n FROM \"a_\"") == [["5"]])
    #expect(try database.rows("SELECT \"_row_\", \"_row\" FROM A_b") == [["0", "9"]])
    #expect(try database.rows("SELECT n FROM \"_sqlite_x\"") == [["1"]])
  }

  /// What SQLite says is told with the file, and what to do.
  @Test func errorsOfSQLite() throws {
    let path = folder.path("world.sqlite")
    let outcome = try RealmProgram.shell(
      "ulimit -f 100; realm export '\(World.path)' --to '\(path)' --format sqlite")
    #expect(outcome.status == 3)
    #expect(outcome.error.hasPrefix("realm: Failed to write '\(path)': SQLite says: "), "\(outcome.error)")
    #expect(outcome.error.hasSuffix(" Make room on the disk, or write to another one.\n"))
  }

  @Test(arguments: ["types-small", "collections-small", "schema"]) func samplesInSQLite(sample: String) throws
  {
    let path = folder.path("sample.sqlite")
    let source = try World.converted(sample, in: folder)
    #expect(try RealmProgram.run("export", source, "--to", path, "--format", "sqlite").error == "")
    let database = try Database(path)
    #expect(try database.rows("PRAGMA integrity_check") == [["ok"]])
    #expect(try database.rows("PRAGMA foreign_key_check") == [])
    let object = try JSONSerialization.jsonObject(
      with: Data(try RealmProgram.run("info", source, "--json").output.utf8))
    for description in (object as? [String: Any])?["classes"] as? [[String: Any]] ?? [] {
      let name = try #require(description["name"] as? String)
      #expect(try database.rows("SELECT count(*) FROM \"\(name)\"") == [["\(description["objects"] ?? "")"]])
    }
    let again = try RealmProgram.run("export", source, "--to", path, "--format", "sqlite")
    #expect(again.status == 3 && again.error.contains("is there already"))
  }
}

/// A database that is read.
private final class Database {
  private var handle: OpaquePointer?

  struct Failure: Error {
    let message: String
  }

  init(_ path: String) throws {
    if sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY, nil) != SQLITE_OK { throw failure() }
  }

  deinit { sqlite3_close(handle) }

  private func failure() -> Failure { Failure(message: String(cString: sqlite3_errmsg(handle))) }

  func rows(_ query: String) throws -> [[String]] {
    var statement: OpaquePointer?
    if sqlite3_prepare_v2(handle, query, -1, &statement, nil) != SQLITE_OK { throw failure() }
    defer { sqlite3_finalize(statement) }
    var rows: [[String]] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<sqlite3_column_count(statement)).map {
          sqlite3_column_text(statement, $0).map { String(cString: $0) } ?? "null"
        })
    }
    return rows
  }
}
