import Foundation
import RealmSwift

/// How long it takes to verify a file, at least 500 MB in a second.
struct VerificationSpeed {
  static let work = "verify"
  private static let bytesPerSecond = 500e6

  let files: FileStore
  let options: Options

  func run() throws -> (measurement: Measurement, note: String) {
    let path = try files.fileAfterInsert(for: OpenRealmSubject.self)
    var samples = Samples()
    var size = 0
    for _ in 0..<(options.repetitions ?? 5) {
      var found: Realm.Verification?
      let seconds = try Stopwatch.seconds { found = try Realm.verify(at: URL(fileURLWithPath: path)) }
      guard let found, found.isSound else { throw BenchmarkError("The file is damaged.") }
      size = found.size
      samples.append(seconds)
    }
    var measurement = Measurement(
      work: Self.work, title: "look at everything", target: .atMost(Double(size) / Self.bytesPerSecond))
    measurement.figures[.openRealm] = samples.median
    let speed = samples.median.map { Int(Double(size) / $0 / 1e6) } ?? 0
    return (measurement, "Verification: \(speed) MB in a second.")
  }
}
