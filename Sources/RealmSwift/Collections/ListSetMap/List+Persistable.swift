import Storage

extension List: _RealmSchemaDiscoverable {
  /// For `_RealmSchemaDiscoverable`: what a property of this type is made of.
  public static var _rlmKind: _PropertyKind {
    var kind = Element._rlmKind
    kind.collection = .list
    return kind
  }
}

extension List: _HasPersistedType {
  /// The type that is stored: the list itself.
  public typealias PersistedType = List
}

extension List: _DefaultConstructible {}

extension List: _Persistable {
  /// For `_Persistable`: what a property has that was never set.
  public static func _rlmDefaultValue() -> List { List() }
  /// For `_Persistable`: whether a managed property keeps its value, as collections are.
  public static var _rlmKeepsInstance: Bool { true }
  /// For `_Persistable`: reads the column of a managed object.
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> List {
    List(backing: StoredCollection(object, column, of: Element.self))
  }

  /// For `_Persistable`: writes the column of a managed object.
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: List) {
    let target = StoredCollection(object, column, of: Element.self)
    if let backing = value.backing {
      if backing.isSameCollection(target) { return }
      backing.checkAccess()
    }
    if target.count == 0 && value.backing == nil && value.unmanaged.isEmpty { return }
    if let values = StoredCollection.valuesToCopy(value.backing, Element.self) {
      return target.replaceAll(withStored: values)
    }
    target.replaceAll(with: Array(value))
  }

  /// For `_Persistable`: makes a value that is kept a view of a managed row.
  public func _rlmBind(_ object: ObjectBase, _ column: Int) { bind(object, column) }

  /// For `_Persistable`: replaces the content of a collection in memory.
  public static func _rlmAssign(_ new: List, to current: List) {
    if new === current { return }
    current.unmanaged = new.backing == nil ? new.unmanaged : ContiguousArray(new)
  }

  /// For `_Persistable`: makes a value of one of another type; nil when it does not fit.
  public static func _rlmCoerce(_ value: Any) -> List? {
    if let list = Coercion.instance(value, of: List.self) { return list }
    guard let elements = CollectionCoercion.elements(value, Element.self) else { return nil }
    let list = List()
    list.unmanaged = elements
    return list
  }

  /// For `_Persistable`: the value as key-value coding and dynamic objects see it.
  public var _rlmDynamicValue: Any? { self }
  /// For `_Persistable`: the object or collection that the value is.
  public var _rlmReference: AnyObject? { self }
}

extension StoredCollection {
  /// Replaces the content of a list.
  func replaceAll<Element: RealmCollectionValue>(with elements: [Element]) {
    let count = count
    // A link to an embedded object is its only one: what is there goes before the new ones come.
    if source.classTable?.isEmbedded ?? false {
      return realm.writer.deletingTogether {
        var common = 0
        while common < min(count, elements.count), updateEmbedded(at: common, elements[common]) {
          common += 1
        }
        if count > common { remove(common..<count) }
        insert(storedValues(elements[common...]), at: common)
      }
    }
    replaceAll(withStored: storedValues(elements))
  }

  fileprivate func replaceAll(withStored values: [StoredValue]) {
    let count = count
    if realm.updatePolicy == .modified && values.areExactly(self.values) { return }
    if count > 0 { remove(0..<count) }
    insert(values, at: 0)
  }
}

extension StoredCollection {
  /// Writes an embedded object in memory over the one at a position, when objects are updated where they differ; the one at
  /// the position itself stays. False when it is to take the other one's place.
  func updateEmbedded<Element: RealmCollectionValue>(at position: Int, _ element: Element) -> Bool {
    guard realm.updatePolicy == .modified, let target = source.classTable,
      case .link(_, let row) = value(at: position), let object = element._rlmObject, object._row >= 0
    else { return false }
    if object._isManaged { return object._state == target.table.state && object._row == row }
    realm.add(object, overEmbedded: row, target)
    return true
  }
}

extension List: Decodable where Element: Decodable {
  /// Decodes a list that `encode(to:)` wrote.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd { unmanaged.append(try container.decode(Element.self)) }
  }
}

extension List: Encodable where Element: Encodable {}
