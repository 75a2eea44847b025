import Storage

extension MutableSet: _RealmSchemaDiscoverable {
  /// For `_RealmSchemaDiscoverable`: what a property of this type is made of.
  public static var _rlmKind: _PropertyKind {
    var kind = Element._rlmKind
    kind.collection = .set
    return kind
  }
}

extension MutableSet: _HasPersistedType {
  /// The type that is stored: the set itself.
  public typealias PersistedType = MutableSet
}

extension MutableSet: _DefaultConstructible {}

extension MutableSet: _Persistable {
  /// For `_Persistable`: what a property has that was never set.
  public static func _rlmDefaultValue() -> MutableSet { MutableSet() }
  /// For `_Persistable`: whether a managed property keeps its value, as collections are.
  public static var _rlmKeepsInstance: Bool { true }
  /// For `_Persistable`: reads the column of a managed object.
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> MutableSet {
    MutableSet(backing: StoredCollection(object, column, of: Element.self))
  }

  /// For `_Persistable`: writes the column of a managed object.
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: MutableSet) {
    let target = StoredCollection(object, column, of: Element.self)
    if let backing = value.backing {
      if backing.isSameCollection(target) { return }
      backing.checkAccess()
    }
    let count = target.count
    if count == 0 && value.count == 0 { return }
    let values =
      StoredCollection.valuesToCopy(value.backing, Element.self) ?? target.storedValues(Array(value))
    if target.realm.updatePolicy == .modified && target.holdsExactly(values) { return }
    target.remove(0..<count)
    target.insertIntoSet(values)
  }

  /// For `_Persistable`: makes a value that is kept a view of a managed row.
  public func _rlmBind(_ object: ObjectBase, _ column: Int) { bind(object, column) }

  /// For `_Persistable`: replaces the content of a collection in memory.
  public static func _rlmAssign(_ new: MutableSet, to current: MutableSet) {
    if new === current { return }
    var elements = DistinctElements<Element>()
    for element in new { elements.insert(element) }
    current.replaceUnmanaged(elements)
  }

  /// For `_Persistable`: makes a value of one of another type; nil when it does not fit.
  public static func _rlmCoerce(_ value: Any) -> MutableSet? {
    if let set = Coercion.instance(value, of: MutableSet.self) { return set }
    guard let elements = CollectionCoercion.elements(value, Element.self) else { return nil }
    var distinct = DistinctElements<Element>()
    for element in elements { distinct.insert(element) }
    return MutableSet(distinct)
  }

  /// For `_Persistable`: the value as key-value coding and dynamic objects see it.
  public var _rlmDynamicValue: Any? { self }
  /// For `_Persistable`: the object or collection that the value is.
  public var _rlmReference: AnyObject? { self }
}

extension StoredCollection {
  /// Whether a set has exactly these elements.
  fileprivate func holdsExactly(_ values: [StoredValue]) -> Bool {
    values.count == count && values.allSatisfy { position(ofElement: $0).isFound }
  }
}

extension MutableSet: Decodable where Element: Decodable {
  /// Decodes a set that `encode(to:)` wrote.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd { insert(try container.decode(Element.self)) }
  }
}

extension MutableSet: Encodable where Element: Encodable {}
