import Foundation
import RealmSync

/// The first upload and download of all objects, and the upload of 100,000 changes, beside `COPY` and `UPDATE`.
@MainActor struct BulkTransfers {
  let objects: Int

  func run(withChanges: Bool) async throws {
    let server = try BenchmarkServer()
    try server.fill("first.realm", objects: objects)
    let realm = try await upload(server)
    try await download(server)
    if withChanges { try await uploadChanges(server, realm) }
  }

  private func upload(_ server: BenchmarkServer) async throws -> Realm {
    let realm = try await Realm.open(configuration: server.configuration("first.realm"))
    let whole = try await TransferCost.measured { try await realm.syncSession!.wait(for: .upload) }
    let found = try server.run("select count(*) from app.\"BenchmarkDog\"")
    guard found == "\(objects)" else { throw Realm.Error(.fail, "The server has \(found) objects.") }
    try server.run(
      "create table bare (id bigint primary key, name text, age bigint, color text, weight double precision, "
        + "born timestamptz, vaccinated boolean)")
    let file = server.folder.path("dogs.copy")
    try server.run("\\copy (select \(Self.columns) from app.\"BenchmarkDog\") to '\(file)' (format binary)")
    let copy = try await seconds { try server.run("\\copy bare from '\(file)' (format binary)") }
    report(
      "upload of \(objects) objects: \(whole); COPY into a table with a key \(text(copy)): "
        + "\(ratio(whole.seconds, copy)) times (wanted at most 8)")
    return realm
  }

  private static let columns = "id, name, age, color, weight, born, vaccinated"

  private func download(_ server: BenchmarkServer) async throws {
    let file = server.folder.path("bare.copy")
    let copy = try await seconds { try server.run("\\copy bare to '\(file)' (format binary)") }
    let configuration = server.configuration("second.realm")
    let whole = try await TransferCost.measured {
      let realm = try await Realm.open(configuration: configuration)
      try await realm.syncSession!.wait(for: .download)
      realm.refresh()
      guard realm.objects(BenchmarkDog.self).count == objects else {
        throw Realm.Error(.fail, "The second file has \(realm.objects(BenchmarkDog.self).count) objects.")
      }
    }
    report(
      "download of \(objects) objects into an empty file: \(whole); COPY to a file \(text(copy)): "
        + "\(ratio(whole.seconds, copy)) times (wanted at most 4)")
  }

  private func uploadChanges(_ server: BenchmarkServer, _ realm: Realm) async throws {
    let count = min(100_000, objects)
    for table in ["bare", "app.\"BenchmarkDog\""] { try server.run("vacuum analyze \(table)") }
    try server.run(
      "create table change as select k as id, 5 as age from generate_series(0, \(count - 1)) k; analyze change"
    )
    let update = try await seconds {
      try server.run("update bare set age = change.age from change where change.id = bare.id")
    }
    try realm.write {
      for dog in realm.objects(BenchmarkDog.self).where({ $0.id < count }) { dog.age += 1 }
    }
    let whole = try await seconds { try await realm.syncSession!.wait(for: .upload) }
    report(
      "upload of \(count) changed properties: \(text(whole)), UPDATE … FROM \(text(update)): "
        + "\(ratio(whole, update)) times (wanted at most 3)")
  }
}
