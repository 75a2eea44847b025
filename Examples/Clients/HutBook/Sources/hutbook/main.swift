// Goes once through everything: a file of the first version is migrated, read, written and observed.
import Foundation
import HutModels
import HutStore
import RealmSwift

/// The class as the first version of the program had it.
class FirstHut: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var title: String
  @Persisted var beds: Int
  @Persisted var altitudeInFeet: Int

  override class func _realmObjectName() -> String? { "Hut" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

let folder = FileManager.default.temporaryDirectory.appending(path: "hutbook-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let url = folder.appending(path: "book.realm")
let key = Data((0..<64).map { _ in UInt8.random(in: 0...255) })

func writeFirstVersion() throws {
  let realm = try Realm(
    configuration: .init(fileURL: url, encryptionKey: key, schemaVersion: 0, objectTypes: [FirstHut.self]))
  try realm.write {
    realm.create(
      FirstHut.self, value: ["title": "Larch", "beds": 45, "altitudeInFeet": 6_496] as [String: Any])
  }
}

try writeFirstVersion()

let store = Store(url: url, key: key)
let realm = try Realm(configuration: store.configuration)
guard let larch = realm.objects(Hut.self).first else { fatalError("The hut is lost.") }
precondition(larch.name == "Larch" && larch.altitude == 1_979, "migrated: \(larch)")

try realm.write { larch.address = Address(value: ["valley": "Green Valley"]) }
try store.follow()

actor Clerk {
  var realm: Realm!

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
  }

  func add(_ name: String) async throws {
    try await realm.asyncWrite {
      _ = realm.create(Hut.self, value: ["name": name, "beds": 6])
    }
  }
}

let clerk = try await Clerk(store.configuration)
try await clerk.add("Summit")
try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
  store.sign("Larch", as: "Emmy") { error in
    if let error { continuation.resume(throwing: error) } else { continuation.resume() }
  }
}

realm.refresh()
let rows = realm.objects(HutRow.self).sorted(byKeyPath: "name")
for row in rows { print(row.name, row.valley ?? "-", row.guests.joined(separator: ", ")) }
precondition(rows.map(\.name) == ["Larch", "Summit"] && rows[0].guests.first == "Emmy")
precondition(store.counts.last == 2, "observed: \(store.counts)")

let isReadable = try store.isReadable()
let isReadableWithOtherKey = try Store(url: url, key: Data(repeating: 1, count: 64)).isReadable()
precondition(isReadable && !isReadableWithOtherKey)

do {
  _ = try schemaVersionAtURL(url)
  fatalError("The file can be read without its key.")
} catch Realm.Error.invalidDatabase {
  print("encrypted")
}
