/// A file as a database of SQLite.
struct SQLiteExport {
  init(_ file: RealmFile, _ classes: [ClassReader]) {}
  func write(to path: String, _ progress: Progress) throws -> Int { 0 }
}
