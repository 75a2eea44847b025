import Foundation
import RealmSync

/// How long it takes to compare a file with the server: when all objects are equal, and when some differ.
@MainActor struct AuditTimes {
  let objects: Int

  func run() async throws {
    let server = try BenchmarkServer()
    try server.run(
      """
      insert into app."BenchmarkDog" (id, name, age, color, weight, born, vaccinated)
        select k, 'Name' || k % 64 || '-' || k, k % 20, 'brown', k % 80 + 0.5, to_timestamp(1600000000), k % 2 = 0
        from generate_series(1, \(objects)) k
      """)
    try server.run("vacuum analyze app.\"BenchmarkDog\"")
    let realm = try await Realm.open(
      configuration: server.configuration("first.realm"), downloadBeforeOpen: .once)
    guard let session = realm.syncSession else { return }
    let file = server.folder.path("dogs.copy")
    let copy = try await seconds {
      try server.run("\\copy app.\"BenchmarkDog\" to '\(file)' (format binary)")
    }
    var times: [Double] = []
    for _ in 0..<3 {
      times.append(
        try await seconds {
          let found = try await session.audit()
          guard found.differences == 0 && found.objects == objects else {
            throw Realm.Error(.fail, "The audit has found \(found).")
          }
        })
    }
    let equal = times.sorted()[1]
    report(
      "audit of \(objects) equal objects: \(text(equal)), COPY to a file \(text(copy)): \(ratio(equal, copy)) times "
        + "(wanted at most 4 s)")
    try server.run(
      "set session_replication_role = replica; update app.\"BenchmarkDog\" set age = 99 where id % 10000 = 7")
    var differences = 0
    let different = try await seconds { differences = try await session.audit().differences }
    report("audit that repairs \(differences) of \(objects) objects: \(text(different))")
    report(
      "all objects received again: \(text(try await seconds { try await session.resyncEverything() }))")
  }
}
