import Storage

/// A list or dictionary inside a mixed value. It has no storage of its own: it reads where the whole value is stored, and
/// changing it writes the whole value.
final class NestedCollection: CollectionBacking {
  /// Where the whole value is.
  enum Place {
    case property(ObjectBase, column: Int)
    case element(StoredCollection, position: Int)
    case entry(StoredCollection, key: String)
  }

  private let place: Place
  /// The way from there.
  private let steps: [CollectionStep]

  init(_ place: Place, _ steps: [CollectionStep] = [], noun: String) {
    self.place = place
    self.steps = steps
    switch place {
    case .property(let object, _):
      let realm = object._realm.unsafelyUnwrapped
      super.init(
        realm: realm, source: _ElementSource(realm: realm, type: .mixed, target: -1, classTable: nil),
        noun: noun)
    case .element(let parent, _), .entry(let parent, _):
      super.init(realm: parent.realm, source: parent.source, noun: noun)
    }
  }

  /// The collection that is an element of another one.
  convenience init(_ parent: CollectionBacking, position: Int, noun: String) {
    let isEntry = parent.noun == "Dictionary"
    if let nested = parent as? NestedCollection {
      let step = isEntry ? CollectionStep.key(parent.key(at: position)) : .position(position)
      self.init(nested.place, nested.steps + [step], noun: noun)
    } else {
      let stored = parent.stored.unsafelyUnwrapped
      self.init(
        isEntry ? .entry(stored, key: parent.key(at: position)) : .element(stored, position: position),
        noun: noun)
    }
  }

  override var location: CollectionLocation {
    switch place {
    case .property(let object, let column):
      .property(ObjectLocation(object), column: column, steps, noun: noun)
    case .element(let parent, let position):
      .element(parent.location, position: position, steps, noun: noun)
    case .entry(let parent, let key): .entry(parent.location, key: key, steps, noun: noun)
    }
  }

  /// How many lists and dictionaries there are around an element, this one included.
  override var nestingLevel: Int {
    switch place {
    case .property: steps.count + 1
    case .element, .entry: steps.count + 2
    }
  }

  // MARK: The value

  /// The whole value; nil when its place is gone.
  private var wholeValue: MixedView? {
    switch place {
    case .property(let object, let column):
      guard object._isAlive, !object._table.isNull(column, object._row) else { return nil }
      return MixedView(object._table.bytes(column, object._row))
    case .element(let parent, let position):
      return parent.isValid && position < parent.count ? parent.mixedView(at: position) : nil
    case .entry(let parent, let key):
      guard parent.isValid else { return nil }
      let found = parent.position(ofKey: key)
      return found.isFound ? parent.mixedView(at: found.position) : nil
    }
  }

  /// The value at the end of the way; nil when it is gone.
  private var content: MixedView? { wholeValue?.following(steps) }

  /// Changes the value, and writes the whole one.
  private func changeContent(_ change: (inout StoredValue) -> Void) {
    guard var value = wholeValue?.value else { return }
    value.change(at: steps, change)
    switch place {
    case .property(let object, let column): object._table.setMixed(column, object._row, value)
    case .element(let parent, let position): parent.replace(at: position, value)
    case .entry(let parent, let key): parent.setValue(value, key: key)
    }
  }

  private var isDictionary: Bool { noun == "Dictionary" }

  override func checkAccess() {
    if realm.isFrozen { realm.checkProcess() } else { realm.checkThread(nameInMessages) }
    if !isValid { failInvalidated() }
  }

  override var isValid: Bool {
    if realm.isClosed { return false }
    guard let content else { return false }
    return isDictionary ? content.isDictionary : content.isList
  }

  override func isSameCollection(_ other: CollectionBacking) -> Bool {
    guard let other = other as? NestedCollection, other.noun == noun, other.steps == steps else {
      return false
    }
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

  override var count: Int { content?.count ?? 0 }
  override var values: [StoredValue] { content?.elements.map(\.value) ?? [] }
  override func value(at position: Int) -> StoredValue { content?.element(at: position)?.value ?? .null }
  override func mixedView(at position: Int) -> MixedView? { content?.element(at: position) }
  override func key(at position: Int) -> String { content?.key(at: position) ?? "" }

  override func position(ofKey key: String) -> (position: Int, isFound: Bool) {
    content?.position(ofKey: key) ?? (0, false)
  }

  // MARK: Writing

  private func changeList(_ change: (inout [StoredValue]) -> Void) {
    changeContent { value in
      guard case .list(var elements) = value else { return }
      change(&elements)
      value = .list(elements)
    }
  }

  private func changeEntries(_ change: (inout [StoredValue.DictionaryEntry]) -> Void) {
    changeContent { value in
      guard case .dictionary(var entries) = value else { return }
      change(&entries)
      value = .dictionary(entries)
    }
  }

  override func insert(_ value: StoredValue, at position: Int) {
    changeList { $0.insert(value, at: position) }
  }
  override func insert(_ values: [StoredValue], at position: Int) {
    changeList { $0.insert(contentsOf: values, at: position) }
  }
  override func replace(at position: Int, _ value: StoredValue) {
    if isDictionary {
      changeEntries { $0[position].value = value }
    } else {
      changeList { $0[position] = value }
    }
  }
  override func remove(_ range: Range<Int>) {
    if isDictionary {
      changeEntries { $0.removeSubrange(range) }
    } else {
      changeList { $0.removeSubrange(range) }
    }
  }
  override func move(from: Int, to: Int) {
    changeList { $0.insert($0.remove(at: from), at: to) }
  }
  override func swap(_ first: Int, _ second: Int) { changeList { $0.swapAt(first, second) } }
  override func setValue(_ value: StoredValue, key: String) {
    let found = position(ofKey: key)
    changeEntries { entries in
      if found.isFound {
        entries[found.position].value = value
      } else {
        entries.insert(.init(key: key, value: value), at: found.position)
      }
    }
  }
}

extension CollectionBacking {
  /// An element of a mixed collection, or of one without segments. A list or dictionary is live.
  @inline(never)
  final func mixedElement<Element: RealmCollectionValue>(at position: Int) -> Element {
    let view = mixedView(at: position)
    if let view, view.isList {
      let list = List<AnyRealmValue>(backing: NestedCollection(self, position: position, noun: "List"))
      if let element = AnyRealmValue.list(list) as? Element { return element }
    } else if let view, view.isDictionary {
      let map = Map<String, AnyRealmValue>(
        backing: NestedCollection(self, position: position, noun: "Dictionary"))
      if let element = AnyRealmValue.dictionary(map) as? Element { return element }
    }
    return Element._rlmElement(value(at: position), realm)
  }
}
