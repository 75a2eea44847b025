import RealmSwift
import RealmSync

/// Lets all realms send what they have, and then brings all to the state of the server.
@MainActor func exchange(_ realms: [Realm]) async throws {
  for realm in realms { try await realm.syncSession!.wait(for: .upload) }
  for realm in realms {
    try await realm.syncSession!.wait(for: .download)
    realm.refresh()
  }
}

/// Lets all realms send what they have, and then brings all to the state of the server.
@MainActor func exchange(_ realms: Realm...) async throws { try await exchange(realms) }

/// Lets one realm send what it has, and brings another one to the state of the server.
@MainActor func transfer(from first: Realm, to second: Realm) async throws {
  try await first.syncSession!.wait(for: .upload)
  try await second.syncSession!.wait(for: .download)
  second.refresh()
}

extension SyncDatabase {
  /// Opens a realm with all classes.
  @MainActor func open(
    _ file: String, onRejected: (@Sendable ([Rejection]) -> Void)? = nil
  ) async throws -> Realm {
    try await Realm.open(configuration: configuration(file, onRejected: onRejected))
  }

  /// Opens realms, which have what the server has.
  @MainActor func openCurrent(_ files: String...) async throws -> [Realm] {
    var realms: [Realm] = []
    for file in files {
      let realm = try await open(file)
      try await realm.syncSession!.wait(for: .download)
      realm.refresh()
      realms.append(realm)
    }
    return realms
  }
}
