import CSQLite
import Foundation
import TestSupport
import Testing

@testable import RealmTool

struct SQLiteExportTests {
  private let folder = ScratchFolder()

  @Test func citiesInSQLite() throws {
    let path = folder.path("world.sqlite")
    let outcome = try RealmProgram.run("export", World.path, "--to", path, "--format", "sqlite")
    #expect(
      outcome
        == .init(
          status: 0,
          output: "Exported \(Numbers.separated(World.cityCount + 504)) objects of 3 classes to '\(path)'.\n")
    )
    let database = try Database(path)
    #expect(try database.rows("PRAGMA integrity_check") == [["ok"]])
    #expect(try database.rows("PRAGMA foreign_key_check") == [])
    #expect(
      try database.rows("SELECT count(*), sum(population) FROM City") == [
        ["\(World.cityCount)", try Self.population()]
      ])
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
      {"name":"A_b","properties":[{"name":"_row","type":"int"},{"name":"to","type":"object","class":"a"}]},
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
    #expect(again.status == 3 && again.error.contains("exists already"))
  }

  private static let rules = #"""
    {"classes":[
      {"name":"Line","properties":[
        {"name":"order","type":"string"},{"name":"place","type":"int","optional":true},
        {"name":"code","type":"string","optional":true,"unique":true},{"name":"day","type":"date","unique":true},
        {"name":"size","type":"int"},{"name":"a","type":"int","optional":true},{"name":"to","type":"object","class":"Line"}],
       "indexes":[{"kind":"primaryKey","properties":["order","place"]},{"kind":"unique","properties":["size","a"]},
         {"kind":"plain","properties":["a","order"]}]},
      {"name":"Line_order_place_index","properties":[{"name":"n","type":"int"}]}]}
    """#

  /// What is unique in the file is unique there; nulls are unique in primary keys only.
  @Test func indexesInSQLite() throws {
    let (path, out) = (folder.path("rules.realm"), folder.path("rules.sqlite"))
    try Self.rules.write(toFile: folder.path("schema.json"), atomically: true, encoding: .utf8)
    // Texts that only Unicode takes for the same, and dates that are hardly apart.
    let lines = #"""
      {"order":"\u00e9","place":null,"code":null,"day":"2024-01-01T00:00:00.000001Z","size":1,"a":null,"to":["\u0065\u0301",null]}
      {"order":"\u0065\u0301","place":null,"code":null,"day":"2024-01-01T00:00:00Z","size":1,"a":null}
      {"order":"x","place":1,"code":"\u00e9","day":"2024-01-02","size":1,"a":2}
      {"order":"x","place":null,"code":"\u0065\u0301","day":"2024-01-03","size":2,"a":2}
      """#
    let imported = try RealmProgram.run(
      "import", path, "-", "--class", "Line", "--format", "jsonl", "--schema", folder.path("schema.json"),
      input: lines)
    #expect(imported.error == "")
    #expect(try RealmProgram.run("export", path, "--to", out, "--format", "sqlite").error == "")
    let database = try Database(out)
    #expect(try database.rows("PRAGMA integrity_check") == [["ok"]])
    #expect(try database.rows("PRAGMA foreign_key_check") == [])
    #expect(
      try database.rows(
        "SELECT name, \"unique\", partial FROM pragma_index_list('Line') ORDER BY name") == [
          ["Line_a_order_index", "0", "0"], ["Line_code_index", "1", "0"], ["Line_day_index", "1", "0"],
          ["Line_order_place_index_", "1", "0"], ["Line_order_place_nulls", "1", "1"],
          ["Line_size_a_index", "1", "0"], ["Line_to_index", "0", "0"],
        ])
    #expect(
      try database.rows("SELECT name FROM pragma_index_info('Line_a_order_index') ORDER BY seqno") == [
        ["a"], ["order"],
      ])
    let joined = "SELECT hex(t.\"order\") FROM Line l JOIN Line t ON l.\"to\" = t._row"
    #expect(try database.rows(joined) == [["65CC81"]])
    func insert(
      _ order: String, _ place: String, code: String, day: String, _ size: Int, _ a: String
    ) -> String? {
      database.refusal(
        "INSERT INTO Line VALUES (NULL, '\(order)', \(place), \(code), '\(day)', \(size), \(a), NULL)")
    }
    #expect(insert("x", "1", code: "NULL", day: "d", 9, "9")?.contains("UNIQUE") == true)
    #expect(insert("x", "NULL", code: "NULL", day: "d", 9, "9")?.contains("UNIQUE") == true)
    #expect(insert("y", "1", code: "'é'", day: "d", 9, "9")?.contains("Line.code") == true)
    #expect(insert("y", "1", code: "NULL", day: "2024-01-01T00:00:00Z", 9, "9")?.contains("Line.day") == true)
    #expect(insert("y", "1", code: "NULL", day: "d", 1, "2")?.contains("Line.size, Line.a") == true)
    #expect(insert("y", "1", code: "NULL", day: "d", 1, "NULL") == nil)
    #expect(insert("y", "NULL", code: "NULL", day: "e", 1, "NULL") == nil)
  }
}

/// A database of SQLite.
final class Database {
  private var handle: OpaquePointer?

  struct Failure: Error {
    let message: String
  }

  init(_ path: String) throws {
    if sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) != SQLITE_OK { throw failure() }
  }

  deinit { sqlite3_close(handle) }

  private func failure() -> Failure { Failure(message: String(cString: sqlite3_errmsg(handle))) }

  /// What SQLite says to a statement that it refuses; nil when it does not.
  func refusal(_ statement: String) -> String? {
    sqlite3_exec(handle, statement, nil, nil, nil) == SQLITE_OK ? nil : failure().message
  }

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
