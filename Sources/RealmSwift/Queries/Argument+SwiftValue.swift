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
  /// A Swift value as an argument of a query. Arrays are gone through in a loop, however deep they are nested.
  ///
  /// - Throws: `PredicateError` for objects of another realm than the one that is queried, and for arrays that are nested
  ///   deeper than any stored value; nil is none.
  init(_ value: Any, in realm: RealmCore?) throws {
    if let plain = Self.plain(value) {
      self = .value(plain)
      return
    }
    enum Task {
      case visit(Any, level: Int)
      case list(from: Int)
    }
    var done: [Argument] = []
    var tasks = [Task.visit(value, level: 0)]
    while let task = tasks.popLast() {
      switch task {
      case .list(let start): done.replaceSubrange(start..., with: [.list(Array(done[start...]))])
      case .visit(let value, let level):
        try Self.checkNesting(level)
        if let elements = Self.elements(of: value) {
          tasks.append(.list(from: done.count))
          tasks += elements.reversed().map { .visit($0, level: level + 1) }
        } else {
          done.append(try Argument(single: value, in: realm, level: level))
        }
      }
    }
    self = done[0]
  }

  /// What most constants are, without the casts that tell what others are.
  static func plain(_ value: Any) -> StoredValue? {
    let type = type(of: value)
    if type == String.self { return (value as! String)._rlmStored }
    if type == Int.self { return (value as! Int)._rlmStored }
    if type == Bool.self { return (value as! Bool)._rlmStored }
    if type == Double.self { return (value as! Double)._rlmStored }
    if type == Date.self { return (value as! Date)._rlmStored }
    return nil
  }

  /// How deep arrays can be nested: as deep as stored values.
  private static func checkNesting(_ level: Int) throws {
    if level > StoredValue.maximumNesting + 1 {
      throw PredicateError(
        "Invalid value", "Collections can be nested \(StoredValue.maximumNesting) levels deep.")
    }
  }

  /// The elements of an array or another sequence; nil for what is one value.
  private static func elements(of value: Any) -> [Any]? {
    guard let value = Coercion.unwrap(value), Coercion.object(value) == nil, !(value is AnyRealmValue),
      region(value) == nil
    else { return nil }
    if let persistable = value as? any _Persistable, persistable._rlmStoredScalar != nil { return nil }
    return (value as? any Sequence).map { Self.all($0) }
  }

  /// Not by a cast of the value, which would first turn arrays into objects of Foundation.
  private static func region(_ value: Any) -> GeographicRegion? {
    type(of: value) is any GeographicShape.Type ? (value as! any GeographicShape).region : nil
  }

  private static func all(_ sequence: some Sequence) -> [Any] { sequence.map { $0 } }

  private init(single value: Any, in realm: RealmCore?, level: Int) throws {
    guard let value = Coercion.unwrap(value) else {
      self = .value(.null)
      return
    }
    if let object = Coercion.object(value) {
      self = try Argument(object: object, in: realm)
      return
    }
    if let region = Self.region(value) {
      self = .region(region)
      return
    }
    switch value {
    case let mixed as AnyRealmValue:
      self = try Argument(mixed: mixed, in: realm, level: level)
    case let persistable as any _Persistable:
      if let stored = persistable._rlmStoredScalar {
        self = .value(stored)
      } else if let custom = value as? any _CustomPersistable,
        let object = custom._rlmDynamicValue.flatMap(Coercion.object)
      {
        self = try Argument(membersOf: object, in: realm)
      } else {
        self = .unsupported(description: "\(value)", type: "\(type(of: value))")
      }
    default:
      if let stored = Coercion.natural(value) {
        self = .value(stored)
      } else if let literal = Self.largeInteger(value) {
        self = .number(literal)
      } else if let stored = Coercion.persisted(value).flatMap(Coercion.natural) {
        self = .value(stored)
      } else {
        self = .unsupported(description: "\(value)", type: "\(type(of: value))")
      }
    }
  }

  /// An integer beyond `Int64`, which no property holds, and each can be compared with.
  private static func largeInteger(_ value: Any) -> NumberLiteral? {
    if let integer = value as? any FixedWidthInteger { return NumberLiteral("\(integer)") }
    guard type(of: value) is NSNumber.Type, let number = value as? NSNumber, !(number is NSDecimalNumber)
    else {
      return nil
    }
    return NumberLiteral(number.stringValue)
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
    let stored = try NestedConversion<AnyRealmValue, StoredValue>.stored(mixed, level: level) {
      value, level in
      try checkNesting(level)
      switch value {
      case .object(let object):
        if case .object(let table, let row) = try Argument(object: object, in: realm) {
          return .single(.link(table: table, row: row))
        }
        // An object that is in no realm equals none.
        return .single(.link(table: -1, row: -1))
      case .list(let list): return .list(Array(list))
      case .dictionary(let map):
        let entries = map.asKeyValueSequence().map { (key: $0.key, value: $0.value) }
        return .dictionary(entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
      default: return .single(value._rlmStoredScalar ?? .null)
      }
    }
    return stored.unsafelyUnwrapped
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
