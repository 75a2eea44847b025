import Storage

/// A list or dictionary inside a mixed value. It has no storage of its own: changing it writes the whole value
/// that it is part of.
final class NestedCollection: CollectionBacking {
  /// Where the value is that holds the elements.
  private enum Place {
    case property(ObjectBase, column: Int)
    case element(CollectionBacking, position: Int)
    case entry(CollectionBacking, key: String)
  }

  private let place: Place

  /// The collection that is the value of a mixed property.
  init(_ object: ObjectBase, _ column: Int, noun: String) {
    place = .property(object, column: column)
    let realm = object._realm.unsafelyUnwrapped
    super.init(realm: realm, source: Self.source(realm), noun: noun)
  }

  /// The collection that is an element of another one.
  init(_ parent: CollectionBacking, position: Int, noun: String) {
    place =
      parent.noun == "Dictionary"
      ? .entry(parent, key: parent.key(at: position)) : .element(parent, position: position)
    super.init(realm: parent.realm, source: parent.source, noun: noun)
  }

  /// The collection that is the value of a key.
  init(_ parent: CollectionBacking, key: String, noun: String) {
    place = .entry(parent, key: key)
    super.init(realm: parent.realm, source: parent.source, noun: noun)
  }

  override var location: CollectionLocation {
    switch place {
    case .property(let object, let column):
      .property(ObjectLocation(object), column: column, noun: noun)
    case .element(let parent, let position): .element(parent.location, position: position, noun: noun)
    case .entry(let parent, let key): .entry(parent.location, key: key, noun: noun)
    }
  }

  private static func source(_ realm: RealmCore) -> _ElementSource {
    _ElementSource(realm: realm, type: .mixed, target: -1, classTable: nil)
  }

  // MARK: The value

  /// The value in place; nil when the place is gone.
  private var content: StoredValue? {
    switch place {
    case .property(let object, let column):
      return object._isAlive ? object._table.value(column, object._row) : nil
    case .element(let parent, let position):
      return parent.isValid && position < parent.count ? parent.value(at: position) : nil
    case .entry(let parent, let key):
      guard parent.isValid else { return nil }
      let found = parent.position(ofKey: key)
      return found.isFound ? parent.value(at: found.position) : nil
    }
  }

  private func setContent(_ value: StoredValue) {
    switch place {
    case .property(let object, let column): object._table.setMixed(column, object._row, value)
    case .element(let parent, let position): parent.replace(at: position, value)
    case .entry(let parent, let key): parent.setValue(value, key: key)
    }
  }

  private var list: [StoredValue] {
    if case .list(let elements)? = content { elements } else { [] }
  }

  private var entries: [StoredValue.DictionaryEntry] {
    if case .dictionary(let entries)? = content { entries } else { [] }
  }

  private var isDictionary: Bool { noun == "Dictionary" }

  override func checkAccess() {
    if realm.isFrozen { realm.checkProcess() } else { realm.checkThread(nameInMessages) }
    if !isValid { failInvalidated() }
  }

  override var isValid: Bool {
    if realm.isClosed { return false }
    switch content {
    case .list: return !isDictionary
    case .dictionary: return isDictionary
    default: return false
    }
  }

  override func isSameCollection(_ other: CollectionBacking) -> Bool {
    guard let other = other as? NestedCollection, other.noun == noun else { return false }
    switch (place, other.place) {
    case (.property(let a, let aColumn), .property(let b, let bColumn)):
      return a._isSame(b) && aColumn == bColumn
    case (.element(let a, let aPosition), .element(let b, let bPosition)):
      return a.isSameCollection(b) && aPosition == bPosition
    case (.entry(let a, let aKey), .entry(let b, let bKey)):
      return a.isSameCollection(b) && aKey == bKey
    default: return false
    }
  }

  override var count: Int { isDictionary ? entries.count : list.count }
  override var values: [StoredValue] { isDictionary ? entries.map(\.value) : list }
  override func value(at position: Int) -> StoredValue {
    isDictionary ? entries[position].value : list[position]
  }
  override func key(at position: Int) -> String { entries[position].key }

  override func position(ofKey key: String) -> (position: Int, isFound: Bool) {
    Self.position(ofKey: key, in: entries)
  }

  private static func position(
    ofKey key: String, in entries: [StoredValue.DictionaryEntry]
  ) -> (position: Int, isFound: Bool) {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      let order = StoredValue.order(.string(entries[middle].key), .string(key))
      if order == 0 { return (middle, true) }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return (low, false)
  }

  // MARK: Writing

  private func changeList(_ change: (inout [StoredValue]) -> Void) {
    var elements = list
    change(&elements)
    setContent(.list(elements))
  }

  override func insert(_ value: StoredValue, at position: Int) {
    changeList { $0.insert(value, at: position) }
  }
  override func insert(_ values: [StoredValue], at position: Int) {
    changeList { $0.insert(contentsOf: values, at: position) }
  }
  override func replace(at position: Int, _ value: StoredValue) {
    if isDictionary {
      var entries = entries
      entries[position].value = value
      setContent(.dictionary(entries))
    } else {
      changeList { $0[position] = value }
    }
  }
  override func remove(_ range: Range<Int>) {
    if isDictionary {
      var entries = entries
      entries.removeSubrange(range)
      setContent(.dictionary(entries))
    } else {
      changeList { $0.removeSubrange(range) }
    }
  }
  override func move(from: Int, to: Int) {
    changeList { $0.insert($0.remove(at: from), at: to) }
  }
  override func swap(_ first: Int, _ second: Int) { changeList { $0.swapAt(first, second) } }
  override func setValue(_ value: StoredValue, key: String) {
    var entries = entries
    let found = Self.position(ofKey: key, in: entries)
    if found.isFound {
      entries[found.position].value = value
    } else {
      entries.insert(.init(key: key, value: value), at: found.position)
    }
    setContent(.dictionary(entries))
  }
}

extension CollectionBacking {
  /// An element of a mixed collection, or of one without segments. A list or dictionary is live.
  @inline(never)
  final func mixedElement<Element: RealmCollectionValue>(at position: Int) -> Element {
    let value = value(at: position)
    switch value {
    case .list:
      let list = List<AnyRealmValue>(backing: NestedCollection(self, position: position, noun: "List"))
      if let element = AnyRealmValue.list(list) as? Element { return element }
    case .dictionary:
      let map = Map<String, AnyRealmValue>(
        backing: NestedCollection(self, position: position, noun: "Dictionary"))
      if let element = AnyRealmValue.dictionary(map) as? Element { return element }
    default: break
    }
    return Element._rlmElement(value, realm)
  }
}
