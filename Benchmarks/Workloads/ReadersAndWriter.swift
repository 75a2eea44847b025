import Dispatch
import Foundation
import Synchronization

/// W21: threads that count, while another one commits as fast as it can. Figures: seconds of a query, and of a commit.
struct ReadersAndWriter {
  let types: [any MeasuredDatabase.Type]
  let files: FileStore
  let dataset: Dataset
  let options: Options
  let log: RunLog

  static let works = ["W21 1 reader", "W21 2 readers"]
  private static let duration = 2.0
  private static let repetitions = 3

  func run() throws -> [Measurement] {
    try (1...2).flatMap { readers in
      options.includes(Self.works[readers - 1]) ? try measure(readers: readers) : []
    }
  }

  private func measure(readers: Int) throws -> [Measurement] {
    let name = Self.works[readers - 1]
    var queries = Measurement(work: name, title: "a query, with a busy writer", target: .ratio(1))
    var commits = Measurement(work: name, title: "a commit, with busy readers", target: .ratio(1))
    var samples: [System: (queries: Samples, commits: Samples)] = [:]
    for _ in 0..<(options.repetitions ?? Self.repetitions) {
      // LMDB's peer may open a file only once in a process.
      for type in types where type.system != .lmdb {
        let path = try files.copyOfFileAfterInsert(for: type, label: "busy")
        defer { files.remove(path) }
        let counts = try Self.count(type, path: path, readers: readers, dataset: dataset)
        samples[type.system, default: (Samples(), Samples())].queries.append(
          Self.duration / Double(counts.queries))
        samples[type.system]!.commits.append(Self.duration / Double(counts.commits))
      }
    }
    for (system, each) in samples {
      queries.figures[system] = each.queries.median
      commits.figures[system] = each.commits.median
      log.note(
        "\(name), \(system): \(Int(1 / each.queries.median!)) queries/s, \(Int(1 / each.commits.median!)) commits/s"
      )
    }
    return [queries, commits]
  }

  private static func count(
    _ type: any MeasuredDatabase.Type, path: String, readers: Int, dataset: Dataset
  ) throws -> (queries: Int, commits: Int) {
    final class Counts: Sendable {
      let queries = Atomic(0)
      let commits = Atomic(0)
      let errors = Mutex<[any Error]>([])
    }
    let counts = Counts()
    nonisolated(unsafe) let type = type
    let changes = RandomStreams.differentAges(seed: 22, count: 200_000, ages: dataset.ages)
    let end = Stopwatch.now() + duration
    let perform: @Sendable (Int) throws -> Void = { number in
      let database = try type.init(path: path, durability: .relaxed)
      defer { try? database.close() }
      var count = 0
      if number == 0 {
        while Stopwatch.now() < end {
          let start = count % (changes.count - 16)
          try database.setAgesOneByOne(changes[start..<start + 16])
          count += 16
        }
        counts.commits.add(count, ordering: .relaxed)
      } else {
        while Stopwatch.now() < end {
          database.showNewest()
          guard try database.countOfDogs(youngerThan: 10) > 0 else {
            throw BenchmarkError("Nothing was counted.")
          }
          count += 1
        }
        counts.queries.add(count, ordering: .relaxed)
      }
    }
    let done = DispatchGroup()
    for number in 0...readers {
      done.enter()
      Thread.detachNewThread {
        do { try perform(number) } catch { counts.errors.withLock { $0.append(error) } }
        done.leave()
      }
    }
    done.wait()
    if let error = counts.errors.withLock({ $0.first }) { throw error }
    return (counts.queries.load(ordering: .relaxed), counts.commits.load(ordering: .relaxed))
  }
}
