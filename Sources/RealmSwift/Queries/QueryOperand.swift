import Foundation
import QueryEngine
import Storage

extension Operand {
  /// A Swift value as a constant of a query.
  ///
  /// - Throws: `PredicateError` for objects of another realm than the one that is queried; nil is none.
  init(_ value: Any, in realm: RealmCore?) throws { self = try Argument(value, in: realm).operand }
}

extension Argument {
  /// A Swift value as an argument of a query.
  ///
  /// - Throws: `PredicateError` for objects of another realm than the one that is queried; nil is none.
  init(_ value: Any, in realm: RealmCore?) throws { try self.init(value, in: realm, level: 0) }

  /// How deep arrays can be nested: as deep as stored values.
  private static func checkNesting(_ level: Int) throws {
    if level > StoredValue.maximumNesting {
      throw PredicateError("Invalid value", "Collections can be nested \(StoredValue.maximumNesting) levels deep.")
    }
  }

  private init(_ value: Any, in realm: RealmCore?, level: Int) throws {
    try Self.checkNesting(level)
    guard let value = Coercion.unwrap(value) else {
      self = .value(.null)
      return
    }
    if let object = Coercion.object(value) {
      self = try Argument(object: object, in: realm)
      return
    }
    switch value {
    case let mixed as AnyRealmValue:
      self = try Argument(mixed: mixed, in: realm, level: level)
    case let shape as any RLMGeospatial: self = .region(shape._region)
    case let persistable as any _Persistable:
      if let stored = persistable._rlmStoredScalar {
        self = .value(stored)
      } else if let elements = value as? any Sequence {
        self = .list(try elements.map { try Argument($0, in: realm, level: level + 1) })
      } else if let custom = value as? any _CustomPersistable,
        let object = custom._rlmDynamicValue.flatMap(Coercion.object)
      {
        self = try Argument(membersOf: object, in: realm)
      } else {
        self = .unsupported(description: "\(value)", type: "\(type(of: value))")
      }
    case let elements as any Sequence: self = .list(try elements.map { try Argument($0, in: realm, level: level + 1) })
    default:
      if let stored = Coercion.natural(value) {
        self = .value(stored)
      } else {
        self = .unsupported(description: "\(value)", type: "\(type(of: value))")
      }
    }
  }

  private init(object: ObjectBase, in realm: RealmCore?) throws {
    guard object._isManaged, object._isAlive else {
      self = .detachedObject
      return
    }
    if let realm, object._realm !== realm {
      throw PredicateError("Invalid value origin", "Object must be from the Realm being queried")
    }
    self = .object(table: object._table.number, row: object._row)
  }

  private init(mixed: AnyRealmValue, in realm: RealmCore?, level: Int) throws {
    if case .object(let object) = mixed {
      self = try Argument(object: object, in: realm)
    } else {
      self = .value(try Self.stored(mixed, in: realm, level: level))
    }
  }

  private static func stored(
    _ mixed: AnyRealmValue, in realm: RealmCore?, level: Int
  ) throws -> StoredValue {
    try checkNesting(level)
    switch mixed {
    case .object(let object):
      if case .object(let table, let row) = try Argument(object: object, in: realm) {
        return .link(table: table, row: row)
      }
      // An object that is in no realm equals none.
      return .link(table: -1, row: -1)
    case .list(let list): return .list(try list.map { try stored($0, in: realm, level: level + 1) })
    case .dictionary(let map):
      let entries = try map.asKeyValueSequence().map {
        StoredValue.DictionaryEntry(key: $0.key, value: try stored($0.value, in: realm, level: level + 1))
      }
      return .dictionary(entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
    default: return mixed._rlmStoredScalar ?? .null
    }
  }

  /// A custom value that is stored as an embedded object: it equals objects with the same properties.
  private init(membersOf object: ObjectBase, in realm: RealmCore?) throws {
    let schema = object.classSchema
    var values: [Argument] = []
    for property in schema.properties {
      var reason: String?
      if property.kind.collection != .none {
        reason = "equality on collections is not implemented."
      } else if property.kind.type == .object {
        reason = "object links are not implemented."
      }
      if let reason {
        throw PredicateError(
          "Invalid predicate",
          "Unsupported property '\(schema.className).\(property.name)' for memberwise equality query: \(reason)"
        )
      }
      values.append(try Argument(property.typedValue(object), in: realm))
    }
    self = .members(names: schema.properties.map(\.name), values: values)
  }
}
