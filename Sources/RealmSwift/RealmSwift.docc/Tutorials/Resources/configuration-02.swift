import RealmSwift

extension Realm.Configuration {
  /// The file of the tracker.
  static let tracker = Realm.Configuration(schemaVersion: 2)
}
