import RealmSwift

/// Watches the issues, with a realm of its own.
actor IssueFeed {
  private var realm: Realm!

  init() async throws {
    realm = try await Realm(configuration: .tracker, actor: self)
  }

  /// Returns how many issues are open.
  func count() -> Int {
    realm.openIssues.count
  }
}
