import Foundation
import RealmSync
import Storage

/// What the change log of a synchronised file costs its writers: the same work in a local file and in one whose session is
/// suspended, alternately.
///
/// The names are those of the workloads in `Benchmarks/Workloads`. `ROUNDS` in the environment is the number of rounds, 7 if it
/// is not set.
@MainActor struct LocalWriters {
  let objects: Int
  private let rounds = ProcessInfo.processInfo.environment["ROUNDS"].flatMap { Int($0) } ?? 7

  /// What one piece of work has taken, in seconds; the processor's time is that of all threads of the process.
  private struct Cost {
    var time: Double
    var processorTime: Double
  }

  private struct Costs {
    var local: [Cost] = []
    var synced: [Cost] = []
  }

  func run() async throws {
    let server = try BenchmarkServer()
    var costs: [String: Costs] = [:]
    for round in 0..<rounds {
      for isSynced in [round % 2 == 0, round % 2 == 1] {
        let name = "\(isSynced ? "synced" : "local")-\(round).realm"
        let configuration = isSynced ? server.configuration(name) : server.localConfiguration(name)
        let measured = try await measure(configuration, server.folder.path(name))
        for (work, cost) in measured {
          if isSynced {
            costs[work, default: Costs()].synced.append(cost)
          } else {
            costs[work, default: Costs()].local.append(cost)
          }
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: server.folder.path(""))
        where name.contains("-\(round).realm") {
          try FileManager.default.removeItem(at: server.folder.file(name))
        }
      }
    }
    for (work, cost) in costs.sorted(by: { $0.key < $1.key }) { reportMedians(work, cost) }
  }

  /// Reports the median of what the rounds took, and of their ratios.
  private func reportMedians(_ work: String, _ costs: Costs) {
    func median(_ numbers: [Double]) -> Double { numbers.sorted()[numbers.count / 2] }
    func more(_ value: (Cost) -> Double) -> String {
      let ratios = zip(costs.local, costs.synced).map { value($1) / value($0) }
      return String(format: "%+.0f %%", (median(ratios) - 1) * 100)
    }
    report(
      "\(work): local \(text(median(costs.local.map(\.time)))), synchronised \(text(median(costs.synced.map(\.time)))): "
        + "\(more(\.time)), processor time \(text(median(costs.local.map(\.processorTime)))) and "
        + "\(text(median(costs.synced.map(\.processorTime)))): \(more(\.processorTime))")
  }

  private func measure(
    _ configuration: Realm.Configuration, _ path: String
  ) async throws -> [(String, Cost)] {
    let realm = try await Realm.open(configuration: configuration)
    realm.syncSession?.suspend()
    let insertion = try await cost { try realm.write { addDogs(0..<objects, to: realm) } }
    let creations = try await cost {
      for key in 0..<500 { try realm.write { addDogs(objects + key..<objects + key + 1, to: realm) } }
    }
    let changes = try await cost {
      for number in 0..<1000 {
        try realm.write {
          let dog = realm.object(ofType: BenchmarkDog.self, forPrimaryKey: scattered(number))
          guard let dog else { throw Realm.Error(.fail, "There is no object \(scattered(number)).") }
          dog.age += 1
        }
      }
    }
    let deferred = try await cost { try changeOneByOne(20_000, path, beside: realm) }
    return [
      ("W1, insertion of \(objects) objects in one transaction", insertion),
      ("500 durable transactions that insert one object", creations),
      ("W13, 1,000 durable transactions that change one property", changes),
      ("W14, 20,000 deferred transactions that change one property", deferred),
    ]
  }

  /// Changes objects in a deferred transaction each, which the interface of realms offers only for several together.
  private func changeOneByOne(_ count: Int, _ path: String, beside realm: Realm) throws {
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    guard let table = snapshot.catalogue.tables.firstIndex(where: { $0.name == "BenchmarkDog" }),
      let age = snapshot.catalogue.tables[table].columns.firstIndex(where: { $0.name == "age" })
    else { throw Realm.Error(.fail, "The file has no dogs.") }
    let writer = Writer(snapshot)
    for number in 0..<count {
      try writer.begin()
      snapshot.table(table).setInteger(age, scattered(number), Int64(number % 20))
      try writer.commit(durability: .deferred)
      // A realm that stays at its version would let the file grow.
      if number % 50 == 0 { realm.refresh() }
    }
  }

  /// Returns a number of an object: consecutive ones are all over the file.
  private func scattered(_ number: Int) -> Int { number &* 7919 % objects }

  private func cost(_ body: () async throws -> Void) async rethrows -> Cost {
    let before = Self.processorTime
    let time = try await seconds(body)
    return Cost(time: time, processorTime: Self.processorTime - before)
  }

  /// Seconds for which the threads of the process have run.
  private static var processorTime: Double {
    var now = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1_000_000_000
  }
}
