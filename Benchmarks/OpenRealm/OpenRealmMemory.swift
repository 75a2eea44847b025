import RealmSwift

/// The peak memory of W1, taken in child processes: one that only holds the objects, one that inserts them.
struct OpenRealmMemory {
  static let work = "memory"
  static let childCommand = "child-memory"

  let rows: Int
  let files: FileStore

  func run() throws -> (measurement: Measurement, note: String) {
    let path = files.newPath(for: OpenRealmSubject.self, label: Self.work)
    defer { files.remove(path) }
    let baseline = try runInChild("objects", path: path)
    let insertion = try runInChild("insert", path: path)
    let fileSize = try FileSize(path: path).allocated
    let objects = baseline.peak - baseline.before
    let limit = 1.5 * Double(objects) + Double(fileSize)
    var measurement = Measurement(
      work: Self.work, title: "peak memory of W1", unit: .bytes, target: .atMost(limit))
    measurement.figures[.openRealm] = Double(insertion.peak)
    let format = { (bytes: Int) in Measurement.Unit.bytes.format(Double(bytes)) + " MB" }
    let note = """
      Memory of W1: the objects \(format(objects)), a process before them \(format(baseline.before)), the file \
      \(format(fileSize)), the peak \(format(insertion.peak)); the limit is 1.5 × objects + file.
      """
    return (measurement, note)
  }

  private func runInChild(_ mode: String, path: String) throws -> (before: Int, peak: Int) {
    let words = try ChildProcess.run([Self.childCommand, mode, String(rows), path])
    guard words.count == 2, let before = Int(words[0]), let peak = Int(words[1]) else {
      throw BenchmarkError("The child process printed \(words).")
    }
    return (before, peak)
  }

  /// `child-memory objects|insert ROWS PATH` prints what was resident before the objects were made, and the
  /// peak.
  static func runChild(_ arguments: [String]) throws {
    guard let rows = Int(arguments[2]), rows > 0 else {
      throw BenchmarkError("\(arguments[2]) is not a number of rows.")
    }
    let before = try ProcessMemory.resident()
    var generator = DogGenerator(count: rows)
    var dogs: [Dog] = []
    dogs.reserveCapacity(rows)
    for _ in 0..<rows {
      dogs.append(Dog(generator.next()))
    }
    if arguments[1] == "insert" {
      let realm = try Realm(configuration: OpenRealmSubject.configuration(path: arguments[3]))
      try realm.write {
        for dog in dogs {
          realm.add(dog)
        }
      }
      guard realm.objects(Dog.self).count == rows else {
        throw BenchmarkError("The realm does not hold the \(rows) dogs that were added.")
      }
    }
    try withExtendedLifetime(dogs) {
      print(before, try ProcessMemory.peak())
    }
  }
}
