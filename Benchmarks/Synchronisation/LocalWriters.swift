import Foundation
import RealmSync

/// What the change log of a synchronised file costs its writers: the same work in a local file and in one whose session is
/// suspended, alternately.
@MainActor struct LocalWriters {
  let objects: Int

  func run() async throws {
    let server = try BenchmarkServer()
    var times: [String: (local: [Double], synced: [Double])] = [:]
    for round in 0..<5 {
      for isSynced in [false, true] {
        let name = "\(isSynced ? "synced" : "local")-\(round).realm"
        let configuration = isSynced ? server.configuration(name) : server.localConfiguration(name)
        for (work, time) in try await measure(configuration) {
          if isSynced {
            times[work, default: ([], [])].synced.append(time)
          } else {
            times[work, default: ([], [])].local.append(time)
          }
        }
      }
    }
    for (work, time) in times.sorted(by: { $0.key < $1.key }) {
      let (local, synced) = (time.local.sorted()[2], time.synced.sorted()[2])
      report(
        "\(work): local \(text(local)), synchronised \(text(synced)): "
          + String(format: "%+.0f %%", (synced / local - 1) * 100))
    }
  }

  private func measure(_ configuration: Realm.Configuration) async throws -> [(String, Double)] {
    let realm = try await Realm.open(configuration: configuration)
    realm.syncSession?.suspend()
    let insertion = try await seconds { try realm.write { addDogs(0..<objects / 5, to: realm) } }
    let commits = try await seconds {
      for key in 0..<500 { try realm.write { addDogs(objects + key..<objects + key + 1, to: realm) } }
    }
    let dogs = realm.objects(BenchmarkDog.self)
    let changes = try await seconds {
      for round in 0..<500 { try realm.write { dogs[round * 7].age += 1 } }
    }
    return [
      ("insertion of \(objects / 5) objects in one transaction", insertion),
      ("500 durable transactions that insert one object", commits),
      ("500 durable transactions that change one property", changes),
    ]
  }
}
