import CSwiftRuntime
import Foundation
import Storage
import SwiftRuntime
import Synchronization

/// What is known of a model class, found once by looking at an object of it.
final class ClassSchema: @unchecked Sendable {
  let type: ObjectBase.Type
  let className: String
  let isEmbedded: Bool
  /// The properties that have a column, those of superclasses first.
  let properties: [ClassProperty]
  /// Linking objects.
  let computedProperties: [ClassProperty]
  let primaryKey: ClassProperty?
  /// The primary key's place among the stored properties.
  let primaryKeyIndex: Int?
  /// The places of all properties of the primary key.
  private(set) var keyIndices: [Int] = []
  /// What the class says of indexes over several properties.
  private(set) var indexes: ClassIndexes
  /// Whether all that an object holds are persisted properties, so that accessors can be copied from a template
  /// and used again for another row.
  let hasOnlyPersistedFields: Bool
  /// Where an object in memory may hold others.
  let holders: [ReferenceHolder]
  /// The object that was looked at, until its schema is known: what is freed asks for the schema of its class.
  private var template: ObjectBase?
  /// Where the stored properties are.
  private let places: NameTable

  private static let known = Mutex(NumberTable<ClassSchema>())
  /// The schemas whose classes are being asked for their indexes, which may name properties by key paths.
  private static let unfinished = Mutex<[(thread: UInt, schema: ClassSchema)]>([])

  /// The schema of a class. Stops the program when the class cannot be stored.
  static func of(_ type: ObjectBase.Type) -> ClassSchema {
    if let schema = ifKnown(type) { return schema }
    // Made without the lock: making the object runs code of the class, which may need other classes.
    let schema = ClassSchema(type)
    defer { schema.template = nil }
    return known.withLock { schemas in
      if let other = schemas[ObjectIdentifier(type)] { return other }
      schemas[ObjectIdentifier(type)] = schema
      return schema
    }
  }

  /// Returns the schema of a class, or nil if it has not been needed yet.
  static func ifKnown(_ type: ObjectBase.Type) -> ClassSchema? {
    known.withLock { $0[ObjectIdentifier(type)] }
      ?? unfinished.withLock { $0.first { $0.schema.type == type && $0.thread == currentThread() }?.schema }
  }

  private init(_ type: ObjectBase.Type) {
    self.type = type
    className = type._realmObjectName() ?? ClassName.unqualified(of: type)
    isEmbedded = type.isEmbedded()
    let mapping = type.propertiesMapping()
    let object = type.init()
    template = object
    var all: [ClassProperty] = []
    var holders: [ReferenceHolder] = []
    let fields = StoredField.all(of: object)
    for field in fields {
      guard let persisted = field.persistedType else { continue }
      // The wrapper of `name` is stored as `_name`.
      let name = String(field.name.dropFirst())
      let offset = field.persistedOffset(in: object)
      all.append(
        persisted.makeProperty(name: name, columnName: mapping[name] ?? name, offset: offset, in: object))
      if let holder = ReferenceHolder(persisted, offset: offset) { holders.append(holder) }
    }
    Self.addOldDeclarations(of: type, named: className, to: all)
    self.holders = holders
    properties = all.filter(\.isStored)
    computedProperties = all.filter { !$0.isStored }
    hasOnlyPersistedFields = fields.count == all.count + ObjectBase.fieldCount
    places = NameTable(properties.map(\.name))
    primaryKey = properties.first(where: \.isPrimaryKey)
    primaryKeyIndex = properties.firstIndex(where: \.isPrimaryKey)
    indexes = ClassIndexes([], className: className, properties: properties)
    askForIndexes()
    check()
  }

  private func askForIndexes() {
    Self.unfinished.withLock { $0.append((currentThread(), self)) }
    indexes = ClassIndexes(type.indexes(), className: className, properties: properties)
    Self.unfinished.withLock { list in list.removeAll { $0.schema === self } }
    keyIndices = primaryKeyIndex.map { [$0] } ?? indexes.key?.properties ?? []
  }

  /// The schema of a class that the program sees only through the file.
  init(
    className: String, isEmbedded: Bool, properties: [ClassProperty], computedProperties: [ClassProperty],
    indexes: [Index]
  ) {
    type = DynamicObject.self
    self.className = className
    self.isEmbedded = isEmbedded
    self.properties = properties
    self.computedProperties = computedProperties
    primaryKey = properties.first(where: \.isPrimaryKey)
    primaryKeyIndex = properties.firstIndex(where: \.isPrimaryKey)
    self.indexes = ClassIndexes(indexes, className: className, properties: properties)
    keyIndices = primaryKeyIndex.map { [$0] } ?? self.indexes.key?.properties ?? []
    hasOnlyPersistedFields = true
    holders = []
    places = NameTable(properties.map(\.name))
  }

  /// The index of a stored property.
  func index(of name: String) -> Int? { places[name] }

  /// A property by its Swift name, linking objects included.
  func property(named name: String) -> ClassProperty? {
    index(of: name).map { properties[$0] } ?? computedProperties.first { $0.name == name }
  }
}
