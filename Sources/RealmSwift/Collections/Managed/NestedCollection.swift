import Storage

/// A list or dictionary inside a mixed value. It has no storage of its own: it reads where the whole value is stored, and
/// changing it writes the whole value. It is found there by identities, so that it follows its element where that is moved.
final class NestedCollection: ManagedCollection, CollectionBacking {
  /// Where the whole value is.
  enum Root {
    case property(ObjectBase, column: Int)
    /// The position is where it was when the collection was made.
    case element(StoredCollection, position: Int)
    case entry(StoredCollection, key: String)
  }

  private let root: Root
  /// The way from there.
  private let path: NestedPath
  /// Where the collection was last found.
  private struct Place {
    /// The position of the whole value in the collection that it is an element of; 0 for a property.
    let outer: Int
    /// The value's bytes in those of the whole one.
    let range: Range<Int>
  }
  /// The place as long as the content stamp is the same; no place when the collection is gone. That of a frozen collection,
  /// which any thread may read, is never changed once the collection is in use.
  @exclusivity(unchecked) private var found: (stamp: Int, place: Place?)?
  /// The last position of the whole value, which is near the present one.
  @exclusivity(unchecked) private var lastOuter: Int

  init(_ root: Root, _ path: NestedPath, kind: CollectionKind) {
    self.root = root
    self.path = path
    if case .element(_, let position) = root { lastOuter = position } else { lastOuter = 0 }
    switch root {
    case .property(let object, _):
      let realm = object._realm.unsafelyUnwrapped
      if !realm.isFrozen { realm.hasMixedCollections = true }
      super.init(
        realm: realm, source: _ElementSource(realm: realm, type: .mixed, target: -1, classTable: nil),
        kind: kind, isStored: false)
    case .element(let parent, _), .entry(let parent, _):
      if !parent.realm.isFrozen { parent.realm.hasMixedCollections = true }
      super.init(realm: parent.realm, source: parent.source, kind: kind, isStored: false)
    }
  }

  func nested(at position: Int, _ kind: CollectionKind) -> NestedCollection {
    let current = find()
    let view = current?.value.element(at: position)
    let step =
      isDictionary
      ? CollectionStep.entry(key: key(at: position), identity: view?.identity(at: 0) ?? 0)
      : CollectionStep.element(identity: view?.identity(at: position) ?? 0)
    let element = NestedCollection(root, path.adding(step), kind: kind)
    // From here it is one step, from the whole value all of them.
    if let current, let range = view?.range(in: current.whole) {
      element.remember(Place(outer: current.outer, range: range))
    }
    return element
  }

  var origin: _CollectionOrigin { _CollectionOrigin(kind: .nested(self)) }

  var location: CollectionLocation {
    switch root {
    case .property(let object, let column):
      .property(ObjectLocation(object), column: column, path, kind: kind)
    case .element(let parent, _):
      .element(parent.location, position: lastOuter, path, kind: kind)
    case .entry(let parent, let key):
      .entry(parent.location, key: key, path, kind: kind)
    }
  }

  /// How many lists and dictionaries there are around an element, this one included.
  var nestingLevel: Int {
    switch root {
    case .property: path.steps.count + 1
    case .element, .entry: path.steps.count + 2
    }
  }

  // MARK: The value

  /// The whole value at a position where it was found, for the reader that is inside.
  private func wholeValue(at outer: Int) -> MixedView? {
    switch root {
    case .property(let object, let column):
      guard object._isAlive, !object._table.isNull(column, object._row) else { return nil }
      return MixedView(object._table.bytes(column, object._row))
    case .element(let parent, _), .entry(let parent, _):
      return parent.isValid && outer < parent.count ? parent.mixedView(at: outer) : nil
    }
  }

  /// Where the whole value is now, for the reader that is inside; nil when it is gone.
  private var outerPosition: Int? {
    switch root {
    case .property: return 0
    case .element(let parent, _):
      return parent.isValid ? parent.position(ofNested: path.outermost, near: lastOuter) : nil
    case .entry(let parent, let key):
      guard parent.isValid else { return nil }
      let found = parent.position(ofKey: key)
      return found.isFound ? found.position : nil
    }
  }

  /// The whole value with its position, and the value at the end of the way, for the reader that is inside; nil when it is
  /// gone.
  private func find() -> (outer: Int, whole: MixedView, value: MixedView)? {
    if let found, found.stamp == realm.snapshot.contentStamp {
      guard let place = found.place, let whole = wholeValue(at: place.outer), let value = whole[place.range]
      else { return nil }
      return (place.outer, whole, value)
    }
    let current = findAnew()
    if !realm.isFrozen {
      remember(
        current.flatMap { current in
          current.value.range(in: current.whole).map { Place(outer: current.outer, range: $0) }
        })
    }
    return current
  }

  private func findAnew() -> (outer: Int, whole: MixedView, value: MixedView)? {
    guard let outer = outerPosition, let whole = wholeValue(at: outer) else { return nil }
    // An element was looked for by its identity.
    if case .element = root {
    } else if whole.identity(at: 0) != path.outermost {
      return nil
    }
    guard let value = whole.following(path.steps), isDictionary ? value.isDictionary : value.isList else {
      return nil
    }
    return (outer, whole, value)
  }

  private func remember(_ place: Place?) {
    found = (realm.snapshot.contentStamp, place)
    if let place { lastOuter = place.outer }
  }

  /// Finds the collection before it is used for the first time, so that a frozen one need not be found each time. False when it is
  /// not there.
  func locate() -> Bool {
    if realm.isClosed { return false }
    guard let current = findAnew(), let range = current.value.range(in: current.whole) else { return false }
    remember(Place(outer: current.outer, range: range))
    return true
  }

  /// What is read of the value at the end of the way; nil when it is gone.
  private func read<Value>(_ body: (MixedView) -> Value?) -> Value? {
    (find()?.value).flatMap(body)
  }

  /// Changes the elements.
  private func change(_ change: NestedChange) {
    let place = find().flatMap { current in
      current.whole.ranges(of: path.steps).map { (outer: current.outer, ranges: $0) }
    }
    guard let place else { return }
    switch root {
    case .property(let object, let column):
      object._table.changeMixed(column, object._row, at: place.ranges, change)
    case .element(let parent, _), .entry(let parent, _):
      parent.table.changeElement(parent.column, parent.row, at: place.outer, place.ranges, change)
    }
  }

  private var isDictionary: Bool { kind == .map }

  func checkAccess() {
    if realm.isFrozen { realm.checkProcess() } else { realm.checkThread(nameInMessages) }
    if !isValid { failInvalidated() }
  }

  var isValid: Bool {
    if realm.isClosed { return false }
    return find() != nil
  }

  func checkWrite() {
    checkAccess()
    if !realm.isInWrite { failOutsideWrite() }
  }

  func isSameCollection(_ other: any CollectionBacking) -> Bool {
    guard let other = other as? NestedCollection, other.kind == kind, other.path == path else { return false }
    switch (root, other.root) {
    case (.property(let a, let aColumn), .property(let b, let bColumn)):
      return a._isSame(b) && aColumn == bColumn
    case (.element(let a, _), .element(let b, _)): return a.isSameCollection(b)
    case (.entry(let a, let aKey), .entry(let b, let bKey)):
      return a.isSameCollection(b) && aKey == bKey
    default: return false
    }
  }

  /// Whether the collection is the present value of a property.
  func isValue(of object: ObjectBase, _ column: Int) -> Bool {
    guard case .property(let owner, column) = root, path.steps.isEmpty else { return false }
    return owner._isSame(object) && isValid
  }

  var count: Int { read { $0.count } ?? 0 }
  var values: [StoredValue] { read { $0.elements.map(\.value) } ?? [] }
  func value(at position: Int) -> StoredValue { read { $0.element(at: position)?.value } ?? .null }
  func mixedView(at position: Int) -> MixedView? { find()?.value.element(at: position) }
  func key(at position: Int) -> String { read { $0.key(at: position) } ?? "" }

  func position(ofKey key: String) -> (position: Int, isFound: Bool) {
    read { $0.position(ofKey: key) } ?? (0, false)
  }

  // MARK: Writing

  func insert(_ value: StoredValue, at position: Int) { change(.insert([value], at: position)) }
  func insert(_ values: [StoredValue], at position: Int) { change(.insert(values, at: position)) }
  func replace(at position: Int, _ value: StoredValue) { change(.replace(at: position, value)) }
  func remove(_ range: Range<Int>) { change(.remove(range)) }
  func move(from: Int, to: Int) { change(.move(from: from, to: to)) }
  func swap(_ first: Int, _ second: Int) { change(.swap(first, second)) }
  func setValue(_ value: StoredValue, key: String) {
    let found = position(ofKey: key)
    change(
      found.isFound
        ? .replace(at: found.position, value) : .insertEntry(key: key, value, at: found.position))
  }
}
