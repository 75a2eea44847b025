import Foundation
import RealmSwift
import RealmSync
import Storage
import Sync
import TestSupport

/// A dog of the tests: values of some types.
final class SyncDog: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var age: Int
  @Persisted var weight: Double?
}

/// An object with a value of every type that is synchronised.
final class SyncSample: Object {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var int: Int
  @Persisted var bool: Bool
  @Persisted var float: Float
  @Persisted var double: Double
  @Persisted(indexed: true) var text: String
  @Persisted var data: Data
  @Persisted var date: Date
  @Persisted var objectId: ObjectId
  @Persisted var uuid: UUID
  @Persisted var decimal: Decimal128
  @Persisted var optionalInt: Int?
  @Persisted var optionalBool: Bool?
  @Persisted var optionalFloat: Float?
  @Persisted var optionalDouble: Double?
  @Persisted(indexed: true) var optionalText: String?
  @Persisted var optionalData: Data?
  @Persisted var optionalDate: Date?
  @Persisted var optionalObjectId: ObjectId?
  @Persisted var optionalUUID: UUID?
  @Persisted var optionalDecimal: Decimal128?
}

/// An object with a text as its key.
final class SyncNamed: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var count: Int
}

/// An object with a UUID as its key.
final class SyncNumbered: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted var count: Int
}

/// A database of a test's own that is prepared for classes.
final class SyncDatabase: Sendable {
  let server: PostgresServer
  let name: String
  let classes: [ObjectBase.Type]
  private let folder = ScratchFolder()

  init(
    _ classes: [ObjectBase.Type] = [SyncDog.self], routing: Set<PropertyName> = [],
    server: PostgresServer? = nil
  ) throws {
    self.server = try server ?? PostgresServer.shared()
    self.classes = classes
    let configuration = Realm.Configuration(fileURL: folder.file("model.realm"), objectTypes: classes)
    try autoreleasepool { _ = try Realm(configuration: configuration) }
    let model = try Self.model(
      folder.path("model.realm"),
      counters: configuration.counters.map { PropertyName($0.className, $0.column) }, routing: routing
    )
    name = try self.server.makeDatabase(model)
  }

  static func model(
    _ path: String, counters: [PropertyName] = [], routing: Set<PropertyName> = []
  ) throws -> SyncModel {
    try SyncModel.read(
      Snapshot(file: DatabaseFile.open(path: path, readOnly: true)).catalogue, counters: Set(counters),
      routing: routing)
  }

  /// The address of the database for its owner.
  var url: String { server.connectionString(database: name) }

  /// Runs SQL as an outsider, and returns what it prints.
  @discardableResult
  func run(_ sql: String) throws -> String { try server.psql(sql, database: name) }

  /// - Parameter synchronised: The classes that are synchronised; nil for all.
  func configuration(
    _ file: String, synchronised: [ObjectBase.Type]? = nil,
    onRejected: (@Sendable ([Rejection]) -> Void)? = nil,
    onReset: (@Sendable (ResetReason) -> Void)? = nil
  ) -> Realm.Configuration {
    Realm.Configuration(
      sync: SyncConfiguration(
        url: url, classes: synchronised, pollInterval: 1,
        onRejected: onRejected, onReset: onReset),
      fileURL: folder.file(file), objectTypes: classes)
  }
}
