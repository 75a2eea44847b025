import Foundation
public import Storage

extension AnyRealmValue: _Persistable, _DefaultConstructible {
  /// The type that is stored: the value itself.
  public typealias PersistedType = AnyRealmValue

  /// For `_RealmSchemaDiscoverable`: what a property of this type is made of.
  public static var _rlmKind: _PropertyKind { _PropertyKind(type: .any) }
  /// For `_Persistable`: what a property has that was never set.
  public static func _rlmDefaultValue() -> AnyRealmValue { .none }

  /// For `_Persistable`: reads the column of a managed object.
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> AnyRealmValue {
    let table = object._table
    if table.isNull(column, object._row) { return .none }
    return table.withBytes(column, object._row) { bytes in
      // A nested collection is a view of this very property, and need not be decoded here.
      let view = MixedView(bytes)
      if view.isList { return .list(List(_rlmNestedIn: object, column, view)) }
      if view.isDictionary { return .dictionary(Map(_rlmNestedIn: object, column, view)) }
      return AnyRealmValue(view.value, object._realm.unsafelyUnwrapped)
    }
  }

  /// For `_Persistable`: writes the column of a managed object.
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: AnyRealmValue) {
    let realm = object._realm.unsafelyUnwrapped
    if let nested = value.nested, nested.isValue(of: object, column) { return }
    let stored = value._rlmStore(realm).withinNesting(in: realm)
    object._table.setMixed(column, object._row, stored)
  }

  /// For `_Persistable`: makes a value of one of another type; nil when it does not fit.
  public static func _rlmCoerce(_ value: Any) -> AnyRealmValue? { _rlmCoerce(value, level: 0) }

  /// Converts a value within `level` collections. Stops the program if that is nested too deep.
  private static func _rlmCoerce(_ value: Any, level: Int) -> AnyRealmValue? {
    if let value = value as? AnyRealmValue { return value }
    if let stored = Coercion.natural(value) { return AnyRealmValue(scalar: stored) }
    return NestedConversion<Any, AnyRealmValue>.unmanaged(value, level: level) { value, level in
      if let value = value as? AnyRealmValue { return .single(value) }
      guard let value = Coercion.unwrap(value) else { return .single(.none) }
      if let stored = Coercion.natural(value) { return .single(AnyRealmValue(scalar: stored)) }
      if let object = Coercion.object(value) { return (object as? Object).map { .single(.object($0)) } }
      if let map = Coercion.instance(value, of: Map<String, AnyRealmValue>.self) {
        return .single(.dictionary(map))
      }
      if let list = Coercion.instance(value, of: List<AnyRealmValue>.self) { return .single(.list(list)) }
      if !StoredValue.allowsNesting(level: level) { trap(RealmCore.nestingMessage) }
      if let entries = Enumeration.entries(value) { return .dictionary(entries) }
      if Enumeration.isSet(value) { return nil }
      if let elements = Enumeration.elements(value) { return .list(elements) }
      return Coercion.persisted(value).flatMap(Coercion.natural).map { .single(AnyRealmValue(scalar: $0)) }
    }
  }

  /// For `_Persistable`: the value as key-value coding and dynamic objects see it.
  public var _rlmDynamicValue: Any? { payload }

  /// For `_Persistable`: the object or collection that the value is.
  public var _rlmReference: AnyObject? {
    switch self {
    case .object(let object): object
    case .list(let list): list
    case .dictionary(let map): map
    default: nil
    }
  }

  /// The list or dictionary inside a mixed value of a realm that the value is.
  var nested: NestedCollection? {
    switch self {
    case .list(let list): list.backing as? NestedCollection
    case .dictionary(let map): map.backing as? NestedCollection
    default: nil
    }
  }

  /// For `_Persistable`: what is stored for a single value; nil for links and collections.
  public var _rlmStoredScalar: StoredValue? {
    switch self {
    case .none: .null
    case .int(let number): .int(Int64(number))
    case .bool(let flag): .bool(flag)
    case .float(let number): .float(number)
    case .double(let number): .double(number)
    case .string(let text): .string(text)
    case .data(let data): .data(Array(data))
    case .date(let date): .date(date.timeIntervalSinceReferenceDate)
    case .objectId(let id): id._rlmStored
    case .decimal128(let decimal): decimal._rlmStored
    case .uuid(let uuid): uuid._rlmStored
    case .object, .dictionary, .list: nil
    }
  }
}

extension AnyRealmValue: RealmCollectionValue {
  /// For `RealmCollectionValue`: the element for what is stored.
  public static func _rlmElement(_ value: StoredValue, _ realm: RealmCore) -> AnyRealmValue {
    AnyRealmValue(value, realm)
  }

  /// For `RealmCollectionValue`: what is stored for the element.
  public func _rlmStore(_ realm: RealmCore) -> StoredValue { _rlmStore(realm, level: 0) }

  /// The value to store with as many collections around it.
  func _rlmStore(_ realm: RealmCore, level: Int) -> StoredValue {
    stored(realm, level: level) ?? realm.refuseNesting()
  }

  /// Returns the stored form of a value within `level` collections; nil if it is nested too deep.
  private func stored(_ realm: RealmCore, level: Int) -> StoredValue? {
    if let stored = _rlmStoredScalar { return stored }
    return NestedConversion<AnyRealmValue, StoredValue>.stored(self, level: level) { value, level in
      switch value {
      case .object(let object):
        let target =
          object._realm === realm ? object._table.number : realm.classTable(of: object).table.number
        return .single(
          .link(table: target, row: realm.rowForLink(to: object, realm.classTable(number: target))))
      case .list(let list): return list._rlmNestedContent(realm, level: level)
      case .dictionary(let map): return map._rlmNestedContent(level: level)
      default: return .single(value._rlmStoredScalar.unsafelyUnwrapped)
      }
    }
  }

  /// For `RealmCollectionValue`: what to look for in order to find the element; nil when it cannot be there.
  public func _rlmSearchValue(_ realm: RealmCore) -> StoredValue? {
    if case .object(let object) = self { return object._rlmSearchValue(realm) }
    return stored(realm, level: 0)
  }

  /// For `RealmCollectionValue`: makes an element of a value of another type; nil when it does not fit.
  public static func _rlmCoerceElement(_ value: Any) -> AnyRealmValue? { _rlmCoerce(value) }
  /// For `RealmCollectionValue`: the element as key-value coding sees it.
  public var _rlmDynamicElement: Any? { payload }
}

extension StoredValue {
  /// How deep lists and dictionaries can be nested when they are written. Deeper ones that are stored can be read.
  static let maximumNesting = 1_000

  /// The value, with as many collections around it, unless its lists and dictionaries are nested too deep: then null is
  /// written, and nothing of the transaction committed.
  func withinNesting(level: Int = 0, in realm: RealmCore) -> StoredValue {
    isNested(within: max(0, Self.maximumNesting - level)) ? self : realm.refuseNesting()
  }

  /// Whether a collection may have as many around it, itself included.
  static func allowsNesting(level: Int) -> Bool { level <= maximumNesting }

  private func isNested(within levels: Int) -> Bool {
    if !isCollection { return true }
    var rest = [(value: self, levels: levels)]
    while let (value, levels) = rest.popLast() {
      if levels == 0 { return false }
      switch value {
      case .list(let elements):
        for element in elements where element.isCollection { rest.append((element, levels - 1)) }
      case .dictionary(let entries):
        for entry in entries where entry.value.isCollection { rest.append((entry.value, levels - 1)) }
      default: break
      }
    }
    return true
  }

}

extension RealmCore {
  fileprivate static let nestingMessage = "Max nesting level reached"

  /// What is written in place of lists and dictionaries that are nested too deep. The commit of the transaction throws;
  /// where none is open, the program stops.
  func refuseNesting() -> StoredValue {
    if !snapshot.isWriting { trap(Self.nestingMessage) }
    writer.breakRule(
      "\(Self.nestingMessage): lists and dictionaries nest at most \(StoredValue.maximumNesting) levels deep."
    )
    return .null
  }
}

extension AnyRealmValue {
  /// A stored value; links become objects of the realm, nested collections are copied into memory.
  init(_ value: StoredValue, _ realm: RealmCore) {
    switch value {
    case .link(let table, let row): self = Self.object(table, row, realm)
    case .list, .dictionary:
      let copy = NestedConversion<StoredValue, AnyRealmValue>.unmanaged(value) { value, _ in
        switch value {
        case .link(let table, let row): .single(Self.object(table, row, realm))
        case .list(let elements): .list(elements)
        case .dictionary(let entries): .dictionary(entries.map { ($0.key, $0.value) })
        default: .single(AnyRealmValue(scalar: value))
        }
      }
      self = copy.unsafelyUnwrapped
    default: self.init(scalar: value)
    }
  }

  private static func object(_ table: Int, _ row: Int, _ realm: RealmCore) -> AnyRealmValue {
    // A migration sees all objects by the names of their properties.
    let classTable =
      realm.migration == nil ? realm.classTable(number: table) : realm.dynamicClassTable(table)
    return .object(unsafeDowncast(classTable.accessor(row), to: Object.self))
  }

  /// A stored value that is neither a link nor a nested collection.
  init(scalar value: StoredValue) {
    switch value {
    case .int(let number): self = .int(Int(number))
    case .bool(let flag): self = .bool(flag)
    case .float(let number): self = .float(number)
    case .double(let number): self = .double(number)
    case .string(let text): self = .string(text)
    case .data(let bytes): self = .data(Data(bytes))
    case .date(let seconds): self = .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .objectId(let id): self = .objectId(ObjectId(id))
    case .uuid(let fixed): self = .uuid(UUID(fixed))
    case .decimal128(let fixed): self = .decimal128(Decimal128(fixed))
    case .null, .link, .list, .dictionary: self = .none
    }
  }

  /// The value of the case, nil for null.
  var payload: Any? {
    switch self {
    case .none: nil
    case .int(let value): value
    case .bool(let value): value
    case .float(let value): value
    case .double(let value): value
    case .string(let value): value
    case .data(let value): value
    case .date(let value): value
    case .object(let value): value
    case .objectId(let value): value
    case .decimal128(let value): value
    case .uuid(let value): value
    case .dictionary(let value): value
    case .list(let value): value
    }
  }
}
