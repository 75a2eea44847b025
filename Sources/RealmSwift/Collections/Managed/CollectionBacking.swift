import Storage

/// What a managed `List`, `MutableSet` or `Map` reads and writes: the elements of one collection in a realm,
/// with their types known only at run time.
///
/// There are two: a `StoredCollection` is a column of its own, a `NestedCollection` is part of a mixed value. Callers
/// check access, and that positions are within bounds, before they ask for anything else.
protocol CollectionBacking: ManagedCollection {
  /// Which of the two it is.
  var origin: _CollectionOrigin { get }
  /// Where the collection is in every realm of the file.
  var location: CollectionLocation { get }
  /// Stops the program unless the collection may be used here and is still there.
  func checkAccess()
  /// Stops the program unless the collection may be changed here.
  func checkWrite()
  func isSameCollection(_ other: any CollectionBacking) -> Bool

  /// Whether the collection is still there.
  var isValid: Bool { get }
  var count: Int { get }
  var values: [StoredValue] { get }
  func value(at position: Int) -> StoredValue
  /// An element of a mixed collection where it is stored, for a reader that is inside; nil for null and for elements of other
  /// types.
  func mixedView(at position: Int) -> MixedView?
  /// How many collections there are around an element, this one included.
  var nestingLevel: Int { get }
  /// The list or dictionary that is an element of a mixed collection.
  func nested(at position: Int, _ kind: CollectionKind) -> NestedCollection
  func key(at position: Int) -> String
  func position(ofKey key: String) -> (position: Int, isFound: Bool)

  func insert(_ value: StoredValue, at position: Int)
  func insert(_ values: [StoredValue], at position: Int)
  func replace(at position: Int, _ value: StoredValue)
  func remove(_ range: Range<Int>)
  func move(from: Int, to: Int)
  func swap(_ first: Int, _ second: Int)
  func setValue(_ value: StoredValue, key: String)
}

// Elements between Swift and a managed collection.
extension CollectionBacking {
  @inline(__always)
  func element<Element: RealmCollectionValue>(at position: Int, as _: Element.Type) -> Element {
    guard let storedReference, source.type != .mixed else { return mixedElement(at: position) }
    return storedReference._withUnsafeGuaranteedRef { stored in
      stored.read(position) { Element._rlmElement($0, $1, stored.source) }
    }
  }

  /// An element of a mixed collection, or of one without segments. A list or dictionary is live.
  @inline(never)
  func mixedElement<Element: RealmCollectionValue>(at position: Int) -> Element {
    readMixedElement(at: position)
  }

  private func readMixedElement<Element: RealmCollectionValue>(at position: Int) -> Element {
    let view = mixedView(at: position)
    if let view, view.isList {
      let list = List<AnyRealmValue>(backing: nested(at: position, .list))
      if let element = AnyRealmValue.list(list) as? Element { return element }
    } else if let view, view.isDictionary {
      let map = Map<String, AnyRealmValue>(backing: nested(at: position, .map))
      if let element = AnyRealmValue.dictionary(map) as? Element { return element }
    }
    return Element._rlmElement(value(at: position), realm)
  }

  /// The value to store for an element of a mixed collection.
  @inline(never)
  private func storedMixed<Element: RealmCollectionValue>(_ element: Element) -> StoredValue {
    element._rlmStore(realm).withinNesting(level: nestingLevel, in: realm)
  }

  /// The value to store for an element.
  @inline(__always)
  func storedValue<Element: RealmCollectionValue>(_ element: Element) -> StoredValue {
    if source.type == .mixed { return storedMixed(element) }
    guard source.type == .link, Element._rlmIsObject else { return element._rlmStore(realm) }
    // Elements are object references, or optional ones in a map.
    guard let reference = unsafeBitCast(element, to: UnsafeRawPointer?.self) else { return .null }
    return withExtendedLifetime(element) {
      Unmanaged<ObjectBase>.fromOpaque(reference)._withUnsafeGuaranteedRef { link(to: $0) }
    }
  }

  /// The values to store for elements, which may come from this very collection.
  func storedValues<S: Sequence>(_ elements: S) -> [StoredValue] where S.Element: RealmCollectionValue {
    elements.map { storedValue($0) }
  }

  /// Whether a value is the list or dictionary that is the element at a position already.
  func holds<Element: RealmCollectionValue>(_ element: Element, at position: Int) -> Bool {
    guard source.type == .mixed, let nested = (element as? AnyRealmValue)?.nested, nested.isValid,
      // Only a list or dictionary has an identity that can be compared.
      value(at: position).isCollection
    else { return false }
    return nested.isSameCollection(self.nested(at: position, nested.kind))
  }

  /// The position of the first element that is equal to a value.
  func firstIndex<Element: RealmCollectionValue>(of element: Element) -> Int? {
    guard let wanted = element._rlmSearchValue(realm) else { return nil }
    if case .link(let table, let row) = wanted, let stored, source.type == .link {
      guard table == source.target else { return nil }
      return stored.firstPosition(ofInteger: Int64(row))
    }
    if case .int(let number) = wanted, let stored, source.type == .int {
      return stored.firstPosition(ofInteger: number)
    }
    // Collections of one kind have no order.
    if wanted.isCollection { return (0..<count).first { value(at: $0) == wanted } }
    return (0..<count).first { StoredValue.order(value(at: $0), wanted) == 0 }
  }
}
