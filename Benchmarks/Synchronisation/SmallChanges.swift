import Foundation
import RealmSync
import Storage
import TestSupport

/// How long one change takes to another file, and how long a look at the server takes when there is nothing new.
@MainActor struct SmallChanges {
  let objects: Int

  func measureLatency() async throws {
    let server = try BenchmarkServer()
    try server.fill("first.realm", objects: objects)
    let first = try await Realm.open(configuration: server.configuration("first.realm"))
    try await first.syncSession!.wait(for: .upload)
    let second = try await Realm.open(configuration: server.configuration("second.realm"))
    try await second.syncSession!.wait(for: .download)
    second.refresh()
    guard let there = second.object(ofType: BenchmarkDog.self, forPrimaryKey: 7),
      let here = first.object(ofType: BenchmarkDog.self, forPrimaryKey: 7)
    else { throw Realm.Error(.fail, "The object has not arrived.") }
    var visible: [Double] = []
    try server.run("create table bare (id bigint primary key, age bigint)")
    for round in 0..<200 {
      let start = ContinuousClock.now
      try first.write { here.age = 1000 + round }
      // Spins: a notification would be measured, too.
      while there.age != 1000 + round {
        await Task.yield()
        second.refresh()
      }
      visible.append((ContinuousClock.now - start) / .seconds(1))
    }
    let statements = (0..<200).map { _ in
      "insert into bare values (5, 1) on conflict (id) do update set age = bare.age + 1;"
    }
    let file = server.folder.path("statements.sql")
    try statements.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
    let upsert = try await seconds { try server.run("\\i \(file)") } / 200
    visible.sort()
    report(
      "one change: committed in one file and visible in the other after \(text(visible[100])) (95%: "
        + "\(text(visible[190]))), INSERT … ON CONFLICT \(text(upsert)) (wanted at most 5 ms)")
  }

  func measurePolls() async throws {
    let server = try BenchmarkServer()
    try server.fill("first.realm", objects: objects)
    let realm = try await Realm.open(configuration: server.configuration("first.realm"))
    try await realm.syncSession!.wait(for: .upload)
    var times: [Double] = []
    for _ in 0..<200 {
      times.append(try await seconds { try await realm.syncSession!.wait(for: .download) })
    }
    times.sort()
    report("a look at the server with nothing new: \(text(times[100])) (95%: \(text(times[190])))")
  }
}
