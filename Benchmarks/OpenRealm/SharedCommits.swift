import Dispatch
import Foundation
import RealmSwift

/// What commits cost that share a synchronisation with the disk, beside those that have one each.
struct SharedCommits {
  let path: String
  let dataset: Dataset
  let options: Options
  let log: RunLog

  static let work = "grouped"
  private static let singleCount = 500
  private static let sharedCount = 20_000

  /// Seconds for 1,000 durable asynchronous transactions, each of which sets one age.
  func run() throws -> Measurement {
    let changes = RandomStreams.differentAges(
      seed: 21, count: Self.singleCount + Self.sharedCount, ages: dataset.ages)
    let queue = DispatchQueue(label: "grouped")
    let configuration = OpenRealmSubject.configuration(path: path)
    var realm: Realm?
    try queue.sync { realm = try Realm(configuration: configuration, queue: queue) }
    nonisolated(unsafe) let shared = realm!
    let single = Stopwatch.seconds {
      for change in changes[..<Self.singleCount] { Self.commit([change], shared, queue) }
    }
    let grouped = Stopwatch.seconds { Self.commit(changes[Self.singleCount...], shared, queue) }
    queue.sync { realm = nil }
    let singleFigure = single / Double(Self.singleCount) * 1000
    var measurement = Measurement(
      work: Self.work, title: "1,000 durable commits, grouped", target: .atMost(singleFigure / 10))
    measurement.figures[.openRealm] = grouped / Double(Self.sharedCount) * 1000
    log.note(
      "grouped: one at a time \(Int(Double(Self.singleCount) / single)) commits/s, grouped \(Int(Double(Self.sharedCount) / grouped)) commits/s"
    )
    return measurement
  }

  /// Returns when the disk has all changes.
  private static func commit(
    _ changes: some Sequence<AgeChange> & Sendable, _ realm: Realm, _ queue: DispatchQueue
  ) {
    let done = DispatchGroup()
    nonisolated(unsafe) let realm = realm
    queue.async(group: done) {
      for change in changes {
        done.enter()
        realm.beginAsyncWrite {
          realm.object(ofType: Dog.self, forPrimaryKey: change.id)!.age = change.age
          realm.commitAsyncWrite(allowGrouping: true) { error in
            precondition(error == nil)
            done.leave()
          }
        }
      }
    }
    done.wait()
  }
}
