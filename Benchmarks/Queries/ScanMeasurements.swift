import Foundation
import RealmSwift

/// How scans behave when others commit, when there is more to scan, and when there are two of them.
struct ScanMeasurements {
  static let works = ["first-query", "growth", "two-readers", "widths", "gaps"]

  let options: Options
  let log: RunLog

  /// The time per row and the lines that say how it came about.
  func run(in directory: String) throws -> (measurements: [Measurement], notes: [String]) {
    var measurements: [Measurement] = []
    var notes: [String] = []
    if options.includes("first-query") || options.includes("two-readers") {
      let path = "\(directory)/numbers.realm"
      try Self.fill(path, rows: options.rows)
      if options.includes("first-query") { measurements.append(try firstQuery(path)) }
      if options.includes("two-readers") {
        let (measurement, note) = try twoReaders(path)
        measurements.append(measurement)
        notes.append(note)
      }
    }
    if options.includes("growth") {
      let (measurement, note) = try growth(directory)
      measurements.append(measurement)
      notes.append(note)
    }
    if options.includes("widths") {
      measurements += try widths(directory)
    }
    if options.includes("gaps") {
      measurements.append(try gaps(directory))
    }
    return (measurements, notes)
  }

  private static func value(_ row: Int) -> Int { (row &* 7919) % 20 }

  private static func fill(_ path: String, rows: Int, _ value: (Int) -> Int = Self.value) throws {
    let realm = try Realm.openKennel(at: path)
    for first in stride(from: 0, to: rows, by: 100_000) {
      try realm.write {
        for row in first..<min(rows, first + 100_000) {
          realm.create(KennelNumber.self, value: ["value": value(row)])
        }
      }
    }
  }

  private static func count(_ realm: Realm) -> Int {
    realm.objects(KennelNumber.self).where { $0.value < 2 }.count
  }

  private static func expected(_ rows: Int) -> Int { (0..<rows).count { value($0) < 2 } }

  private func check(_ answer: Int, _ expected: Int, _ work: String) throws {
    if answer != expected {
      throw BenchmarkError("\(work): the answer is \(answer) where \(expected) was expected.")
    }
  }

  /// The first query after another thread's commit, at most twice the second.
  private func firstQuery(_ path: String) throws -> Measurement {
    let realm = try Realm.openKennel(at: path)
    var expected = Self.expected(options.rows)
    try check(Self.count(realm), expected, "first-query")
    var first = Samples()
    var second = Samples()
    for round in 0..<50 {
      let row = round * 17_321 % options.rows
      let isSmall = realm.objects(KennelNumber.self)[row].value < 2
      expected += isSmall ? -1 : 1
      try Self.onAnotherThread {
        let other = try Realm.openKennel(at: path)
        try other.write { other.objects(KennelNumber.self)[row].value = isSmall ? 19 : 0 }
      }
      var answer = 0
      first.append(
        Stopwatch.seconds {
          realm.refresh()
          answer = Self.count(realm)
        })
      try check(answer, expected, "first-query")
      second.append(Stopwatch.seconds { answer = Self.count(realm) })
    }
    var measurement = Measurement(
      work: "first-query", title: "refresh and first query after a commit",
      target: .atMost(2 * (second.median ?? 0)))
    measurement.figures[.openRealm] = first.median
    log.samples([.openRealm: first], of: "first-query")
    log.samples([.openRealm: second], of: "second")
    return measurement
  }

  private static func onAnotherThread(_ body: @escaping @Sendable () throws -> Void) throws {
    nonisolated(unsafe) var failure: (any Error)?
    let done = DispatchSemaphore(value: 0)
    Thread {
      do { try body() } catch { failure = error }
      done.signal()
    }.start()
    done.wait()
    if let failure { throw failure }
  }

  /// Seconds for each of many scans on so many threads at once.
  private func secondsPerScan(_ path: String, threads: Int) throws -> Double {
    let scans = max(20, 400_000_000 / options.rows)
    let expected = Self.expected(options.rows)
    let ready = DispatchSemaphore(value: 0)
    let start = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var failures = [String?](repeating: nil, count: threads)
    for thread in 0..<threads {
      Thread {
        do {
          let realm = try Realm.openKennel(at: path)
          _ = Self.count(realm)
          ready.signal()
          start.wait()
          for _ in 0..<scans where Self.count(realm) != expected { failures[thread] = "wrong answer" }
        } catch {
          failures[thread] = "\(error)"
          ready.signal()
        }
        done.signal()
      }.start()
    }
    for _ in 0..<threads { ready.wait() }
    let seconds = Stopwatch.seconds {
      for _ in 0..<threads { start.signal() }
      for _ in 0..<threads { done.wait() }
    }
    if let failure = failures.compactMap({ $0 }).first { throw BenchmarkError("two-readers: \(failure)") }
    return seconds / Double(scans * threads)
  }

  /// Two threads scan nearly twice as much as one.
  private func twoReaders(_ path: String) throws -> (Measurement, String) {
    try Self.restore(path, rows: options.rows)
    var one = Samples()
    var two = Samples()
    for _ in 0..<(options.repetitions ?? 5) {
      one.append(try secondsPerScan(path, threads: 1))
      two.append(try secondsPerScan(path, threads: 2))
    }
    let alone = one.minimum ?? 0
    let together = two.minimum ?? 0
    var measurement = Measurement(
      work: "two-readers", title: "time of a scan, two threads sharing", target: .atMost(alone / 1.7))
    measurement.figures[.openRealm] = together
    let factor = String(format: "%.2f", alone / together)
    return (measurement, "Two threads that scan at once do \(factor) times the scans of one.")
  }

  /// Undoes what `firstQuery` has changed.
  private static func restore(_ path: String, rows: Int) throws {
    let realm = try Realm.openKennel(at: path)
    try realm.write {
      for (row, number) in realm.objects(KennelNumber.self).enumerated() where number.value != value(row) {
        number.value = value(row)
      }
    }
  }

  /// Half of numbers in no order, of one, two and four bytes each: the time grows with the memory, and not with what the
  /// processor cannot foretell.
  private func widths(_ directory: String) throws -> [Measurement] {
    var seconds: [Double] = []
    for limit in [200, 60_000, 4_000_000_000] {
      let path = "\(directory)/widths-\(limit).realm"
      var random = SplitMix64(seed: 1)
      let values = (0..<options.rows).map { _ in random.next(below: limit) }
      try Self.fill(path, rows: options.rows) { values[$0] }
      let realm = try Realm.openKennel(at: path)
      let expected = values.count { $0 >= limit / 2 }
      var samples = Samples()
      for _ in 0..<30 {
        var answer = 0
        samples.append(
          Stopwatch.seconds {
            answer = realm.objects(KennelNumber.self).where { $0.value >= limit / 2 }.count
          })
        try check(answer, expected, "widths")
      }
      seconds.append(samples.minimum ?? 0)
    }
    return [1, 2].map { place in
      var measurement = Measurement(
        work: "widths", title: "count half of numbers of \([1, 2, 4][place]) bytes",
        target: .atMost(4 * Double(place) * seconds[0]))
      measurement.figures[.openRealm] = seconds[place]
      return measurement
    }
  }

  /// Objects by their position, each changed before the next is asked for: whether objects were deleted hardly matters.
  private func gaps(_ directory: String) throws -> Measurement {
    let path = "\(directory)/gaps.realm"
    try Self.fill(path, rows: options.rows)
    let realm = try Realm.openKennel(at: path)
    let numbers = realm.objects(KennelNumber.self)
    let whole = try secondsOfChanges(numbers, in: realm)
    try realm.write { realm.delete(numbers.where { $0.value == 19 }) }
    let withGaps = try secondsOfChanges(numbers, in: realm)
    var measurement = Measurement(
      work: "gaps", title: "1,000 by position, of a class with gaps",
      target: .atMost(4 * (whole.minimum ?? 0)))
    measurement.figures[.openRealm] = withGaps.minimum
    log.samples([.openRealm: whole], of: "whole")
    log.samples([.openRealm: withGaps], of: "gaps")
    return measurement
  }

  private func secondsOfChanges(_ numbers: Results<KennelNumber>, in realm: Realm) throws -> Samples {
    var samples = Samples()
    let step = numbers.count / 1000
    for _ in 0..<10 {
      realm.beginWrite()
      samples.append(Stopwatch.seconds { for place in 0..<1000 { numbers[place * step].value &+= 1 } })
      realm.cancelWrite()
    }
    return samples
  }

  /// A tenth, once and ten times as many rows: the time per row stays the same.
  private func growth(_ directory: String) throws -> (Measurement, String) {
    var perRow: [Double] = []
    var texts: [String] = []
    for rows in [options.rows / 10, options.rows, options.rows * 10] {
      let path = "\(directory)/growth-\(rows).realm"
      try Self.fill(path, rows: rows)
      let realm = try Realm.openKennel(at: path)
      let expected = Self.expected(rows)
      var samples = Samples()
      for _ in 0..<30 {
        var answer = 0
        samples.append(Stopwatch.seconds { answer = Self.count(realm) })
        try check(answer, expected, "growth")
      }
      let seconds = samples.minimum ?? 0
      perRow.append(seconds / Double(rows))
      texts.append("\(rows) rows in \(String(format: "%.3f", seconds * 1e3)) ms")
    }
    var measurement = Measurement(
      work: "growth", title: "scan of ten times the rows, per thousand rows", unit: .nanoseconds,
      target: .atMost(1.5e3 * max(perRow[0], perRow[1])))
    measurement.figures[.openRealm] = perRow[2] * 1e3
    return (measurement, "Scans grow with the rows: " + texts.joined(separator: ", ") + ".")
  }
}
