import RealmSwift

/// The first query of a process over a file that another one has written. The file is in the system's cache, and nothing of
/// it is known to the process.
struct FirstReads {
  static let childCommand = "child-first"
  static let works = queries.map { "\($0.work) first" }

  private struct Query: Sendable {
    let work: String
    let title: String
    /// The longest accepted time of each dog.
    let secondsPerRow: Double
    /// What is found, as a number.
    let run: @Sendable (OpenRealmSubject) -> Int
  }

  private static let queries = [
    Query(work: "W3", title: "count int", secondsPerRow: 0.25e-9) { $0.countOfDogs(youngerThan: 2) },
    Query(work: "W5", title: "contains", secondsPerRow: 1.5e-9) {
      $0.countOfDogs(nameContaining: "ame07-1")
    },
    Query(work: "W6", title: "compound", secondsPerRow: 2e-9) { $0.countOfCompoundMatches() },
    Query(work: "W7L", title: "sort, first 100", secondsPerRow: 2e-9) {
      $0.idsOfSortedDogs(limit: 100).first.reduce(0, &+)
    },
    Query(work: "W8", title: "four aggregates", secondsPerRow: 1e-9) { $0.summary().sumOfAges },
  ]

  let files: FileStore
  let options: Options
  let log: RunLog

  func run() throws -> [Measurement] {
    let path = try files.fileAfterInsert(for: OpenRealmSubject.self)
    let subject = try OpenRealmSubject(path: path, durability: .full)
    defer { subject.close() }
    return try Self.queries.filter { options.includes("\($0.work) first") }.map { query in
      let expected = query.run(subject)
      try OpeningWorkload.readThrough(path)
      var samples = Samples()
      for _ in 0..<(options.repetitions ?? 9) {
        let words = try ChildProcess.run([Self.childCommand, query.work, path])
        guard words.count == 2, let seconds = Double(words[0]), Int(words[1]) == expected else {
          throw BenchmarkError("The child process printed \(words) where \(expected) was expected.")
        }
        samples.append(seconds)
      }
      var measurement = Measurement(
        work: "\(query.work) first", title: query.title + ", first of a process",
        target: .atMost(query.secondsPerRow * Double(options.rows)))
      measurement.figures[.openRealm] = samples.median
      log.samples([.openRealm: samples], of: measurement.work)
      return measurement
    }
  }

  /// `child-first WORK PATH` prints the seconds of the first query, and what it found.
  static func runChild(_ arguments: [String]) throws {
    guard let query = queries.first(where: { $0.work == arguments[1] }) else {
      throw BenchmarkError("There is no first query \(arguments[1]).")
    }
    let subject = try OpenRealmSubject(path: arguments[2], durability: .full)
    defer { subject.close() }
    let start = Stopwatch.now()
    let found = query.run(subject)
    print(Stopwatch.now() - start, found)
  }
}
