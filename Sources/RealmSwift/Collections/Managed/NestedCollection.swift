import Storage

/// A list or dictionary inside a mixed value. It has no storage of its own: it reads where the whole value is stored, and
/// changing it writes the whole value.
final class NestedCollection: ManagedCollection, CollectionBacking {
  /// Where the whole value is.
  enum Root {
    case property(ObjectBase, column: Int)
    case element(StoredCollection, position: Int)
    case entry(StoredCollection, key: String)
  }

  private let root: Root
  /// The way from there.
  private let steps: [CollectionStep]
  /// Where the value is in the bytes of the whole one, as long as the content stamp is the same. That of a frozen
  /// collection, which any thread may read, is never changed.
  @exclusivity(unchecked) private var found: (stamp: Int, range: Range<Int>)?

  init(_ root: Root, _ steps: [CollectionStep] = [], kind: CollectionKind) {
    self.root = root
    self.steps = steps
    switch root {
    case .property(let object, _):
      let realm = object._realm.unsafelyUnwrapped
      super.init(
        realm: realm, source: _ElementSource(realm: realm, type: .mixed, target: -1, classTable: nil),
        kind: kind, isStored: false)
    case .element(let parent, _), .entry(let parent, _):
      super.init(realm: parent.realm, source: parent.source, kind: kind, isStored: false)
    }
  }

  func nested(at position: Int, _ kind: CollectionKind) -> NestedCollection {
    let step = isDictionary ? CollectionStep.key(key(at: position)) : .position(position)
    let element = NestedCollection(root, steps + [step], kind: kind)
    // From here it is one step, from the whole value all of them.
    realm.snapshot.reading {
      if let wholeValue, let view = content?.element(at: position) { element.remember(view, in: wholeValue) }
    }
    return element
  }

  var origin: _CollectionOrigin { _CollectionOrigin(kind: .nested(self)) }

  var location: CollectionLocation {
    switch root {
    case .property(let object, let column):
      .property(ObjectLocation(object), column: column, steps, kind: kind)
    case .element(let parent, let position):
      .element(parent.location, position: position, steps, kind: kind)
    case .entry(let parent, let key):
      .entry(parent.location, key: key, steps, kind: kind)
    }
  }

  /// How many lists and dictionaries there are around an element, this one included.
  var nestingLevel: Int {
    switch root {
    case .property: steps.count + 1
    case .element, .entry: steps.count + 2
    }
  }

  // MARK: The value

  /// The whole value, for who is inside; nil when its root is gone.
  private var wholeValue: MixedView? {
    switch root {
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

  /// What is read of the value at the end of the way; nil when it is gone.
  private func read<Value>(_ body: (MixedView) -> Value?) -> Value? {
    realm.snapshot.reading { content.flatMap(body) }
  }

  /// The value at the end of the way, for who is inside; nil when it is gone.
  private var content: MixedView? {
    guard let whole = wholeValue else { return nil }
    if steps.isEmpty { return whole }
    if let found, found.stamp == realm.snapshot.contentStamp, let value = whole[found.range] { return value }
    guard let value = whole.following(steps) else { return nil }
    if !realm.isFrozen { remember(value, in: whole) }
    return value
  }

  private func remember(_ value: MixedView, in whole: MixedView) {
    found = value.range(in: whole).map { (realm.snapshot.contentStamp, $0) }
  }

  /// Changes the value, and writes the whole one.
  private func changeContent(_ change: (inout StoredValue) -> Void) {
    guard var value = wholeValue?.value else { return }
    value.change(at: steps, change)
    switch root {
    case .property(let object, let column): object._table.setMixed(column, object._row, value)
    case .element(let parent, let position): parent.replace(at: position, value)
    case .entry(let parent, let key): parent.setValue(value, key: key)
    }
  }

  private var isDictionary: Bool { kind == .map }

  func checkAccess() {
    if realm.isFrozen { realm.checkProcess() } else { realm.checkThread(nameInMessages) }
    if !isValid { failInvalidated() }
  }

  var isValid: Bool {
    if realm.isClosed { return false }
    return read { isDictionary ? $0.isDictionary : $0.isList } ?? false
  }

  func checkWrite() {
    checkAccess()
    if !realm.isInWrite { failOutsideWrite() }
  }

  func isSameCollection(_ other: any CollectionBacking) -> Bool {
    guard let other = other as? NestedCollection, other.kind == kind, other.steps == steps else {
      return false
    }
    switch (root, other.root) {
    case (.property(let a, let aColumn), .property(let b, let bColumn)):
      return a._isSame(b) && aColumn == bColumn
    case (.element(let a, let aPosition), .element(let b, let bPosition)):
      return a.isSameCollection(b) && aPosition == bPosition
    case (.entry(let a, let aKey), .entry(let b, let bKey)):
      return a.isSameCollection(b) && aKey == bKey
    default: return false
    }
  }

  var count: Int { read { $0.count } ?? 0 }
  var values: [StoredValue] { read { $0.elements.map(\.value) } ?? [] }
  func value(at position: Int) -> StoredValue { read { $0.element(at: position)?.value } ?? .null }
  func mixedView(at position: Int) -> MixedView? { content?.element(at: position) }
  func key(at position: Int) -> String { read { $0.key(at: position) } ?? "" }

  func position(ofKey key: String) -> (position: Int, isFound: Bool) {
    read { $0.position(ofKey: key) } ?? (0, false)
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

  func insert(_ value: StoredValue, at position: Int) {
    changeList { $0.insert(value, at: position) }
  }
  func insert(_ values: [StoredValue], at position: Int) {
    changeList { $0.insert(contentsOf: values, at: position) }
  }
  func replace(at position: Int, _ value: StoredValue) {
    if isDictionary {
      changeEntries { $0[position].value = value }
    } else {
      changeList { $0[position] = value }
    }
  }
  func remove(_ range: Range<Int>) {
    if isDictionary {
      changeEntries { $0.removeSubrange(range) }
    } else {
      changeList { $0.removeSubrange(range) }
    }
  }
  func move(from: Int, to: Int) {
    changeList { $0.insert($0.remove(at: from), at: to) }
  }
  func swap(_ first: Int, _ second: Int) { changeList { $0.swapAt(first, second) } }
  func setValue(_ value: StoredValue, key: String) {
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
