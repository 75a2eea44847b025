import Storage

extension Map: _RealmSchemaDiscoverable {
  /// For `_RealmSchemaDiscoverable`: what a property of this type is made of.
  public static var _rlmKind: _PropertyKind {
    var kind = Value._rlmKind
    kind.collection = .map
    return kind
  }
}

extension Map: _HasPersistedType {
  /// The type that is stored: the map itself.
  public typealias PersistedType = Map
}

extension Map: _DefaultConstructible {}

extension Map: _Persistable {
  /// For `_Persistable`: what a property has that was never set.
  public static func _rlmDefaultValue() -> Map { Map() }
  /// For `_Persistable`: whether a managed property keeps its value, as collections are.
  public static var _rlmKeepsInstance: Bool { true }
  /// For `_Persistable`: reads the column of a managed object.
  public static func _rlmRead(_ object: ObjectBase, _ column: Int) -> Map {
    Map(backing: StoredCollection(object, column, of: Value.self))
  }

  /// For `_Persistable`: writes the column of a managed object.
  public static func _rlmWrite(_ object: ObjectBase, _ column: Int, _ value: Map) {
    let target = StoredCollection(object, column, of: Value.self)
    if let backing = value.backing {
      if backing.isSameCollection(target) { return }
      backing.checkAccess()
    }
    let count = target.count
    if count == 0 && value.count == 0 { return }
    if let values = StoredCollection.valuesToCopy(value.backing, Value.self) {
      return target.replaceAll(with: zip(value.keys, values).map { (key: $0._rlmKeyText, value: $1) })
    }
    let entries = value.entries
    for (key, _) in entries { key._rlmKeyText.checkKey() }
    if target.source.classTable?.isEmbedded ?? false {
      return target.realm.writer.deletingTogether { target.replaceEmbedded(with: entries) }
    }
    target.replaceAll(with: entries.map { (key: $0.0._rlmKeyText, value: target.storedValue($0.1)) })
  }

  /// For `_Persistable`: makes a value that is kept a view of a managed row.
  public func _rlmBind(_ object: ObjectBase, _ column: Int) { bind(object, column) }

  /// For `_Persistable`: replaces the content of a collection in memory.
  public static func _rlmAssign(_ new: Map, to current: Map) {
    if new === current { return }
    current.unmanaged = new.content
  }

  /// The entries as a dictionary.
  private var content: [Key: Value] {
    backing == nil ? unmanaged : Dictionary(entries.map { ($0.0, $0.1) }, uniquingKeysWith: { _, new in new })
  }

  /// For `_Persistable`: makes a value of one of another type; nil when it does not fit.
  public static func _rlmCoerce(_ value: Any) -> Map? {
    if let map = Coercion.instance(value, of: Map.self) { return map }
    guard let entries = CollectionCoercion.entries(value, Value.self) else { return nil }
    let map = Map()
    for (key, value) in entries { map.unmanaged[Key._rlmKey(key)] = value }
    return map
  }

  /// For `_Persistable`: the value as key-value coding and dynamic objects see it.
  public var _rlmDynamicValue: Any? { self }
  /// For `_Persistable`: the object or collection that the value is.
  public var _rlmReference: AnyObject? { self }
}

extension StoredCollection {
  /// Replaces the embedded objects of a map. A link to an embedded object is its only one: what is there goes before the
  /// new ones come.
  fileprivate func replaceEmbedded<Key: _MapKey, Value: RealmCollectionValue>(
    with entries: ContiguousArray<(Key, Value)>
  ) {
    if realm.updatePolicy == .modified {
      let keys = Set(entries.map { ExactText($0.0._rlmKeyText) })
      for position in (0..<count).reversed() where !keys.contains(ExactText(key(at: position))) {
        remove(position..<position + 1)
      }
    } else {
      remove(0..<count)
    }
    for (key, value) in entries {
      let found = position(ofKey: key._rlmKeyText)
      if found.isFound, updateEmbedded(at: found.position, value) { continue }
      setValue(storedValue(value), key: key._rlmKeyText)
    }
  }

  fileprivate func replaceAll(with entries: [(key: String, value: StoredValue)]) {
    if realm.updatePolicy == .modified && holdsExactly(entries) { return }
    remove(0..<count)
    for entry in entries { setValue(entry.value, key: entry.key) }
  }

  /// Whether a map has exactly these entries, which come in the order of their keys.
  fileprivate func holdsExactly(_ entries: [(key: String, value: StoredValue)]) -> Bool {
    guard entries.count == count else { return false }
    return entries.enumerated().allSatisfy { position, entry in
      key(at: position).isExactly(entry.key) && value(at: position).isExactly(entry.value)
    }
  }
}

extension Map: Decodable where Key: Decodable, Value: Decodable {
  /// Decodes a map that `encode(to:)` wrote.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: MapCodingKey.self)
    for key in container.allKeys {
      unmanaged[Key._rlmKey(key.stringValue)] = try container.decode(Value.self, forKey: key)
    }
  }
}

extension Map: Encodable where Key: Encodable, Value: Encodable {
  /// Encodes the entries as a dictionary.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: MapCodingKey.self)
    if let values = _rlmValuesOrStored { try values.checkEncodable(encoder) }
    for (key, value) in entries {
      try container.encode(value, forKey: MapCodingKey(stringValue: key._rlmKeyText))
    }
  }
}

/// A key of a map in an encoded dictionary.
private struct MapCodingKey: CodingKey {
  let stringValue: String
  init(stringValue: String) { self.stringValue = stringValue }

  var intValue: Int? { nil }
  init?(intValue: Int) { nil }
}
