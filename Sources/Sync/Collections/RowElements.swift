import Storage

/// The elements of one object's set or map as the server has them: with keys in the place of links, also of links whose targets
/// the file does not have. Such an element of a set is not in the file, and such a value of a map is null there.
struct RowElements {
  let collection: LocalCollection
  let row: Int
  let table: Table
  private let links: UnresolvedLinks
  /// The elements whose links are not all resolved.
  private(set) var unresolved: [ElementIdentity: CollectionElement] = [:]
  private var isUnresolvedChanged = false

  init(_ collection: LocalCollection, row: Int, in table: Table, _ links: UnresolvedLinks) {
    self.collection = collection
    self.row = row
    self.table = table
    self.links = links
    guard collection.canLink, let content = links[place] else { return }
    for element in collection.elements(content) { unresolved[ElementIdentity(element.identity)] = element }
  }

  private var column: Int { collection.column }
  private var snapshot: Snapshot { table.snapshot }
  var place: UnresolvedLinks.Place { .init(table: table.number, column: column, row: row) }

  // MARK: Reading

  /// The positions in the file of what is one element to the server: at most one, but for dates of one microsecond, which are
  /// beside each other.
  private func positions(of identity: Value) -> Range<Int> {
    if collection.kind == .map {
      guard case .string(let key) = identity else { return 0..<0 }
      let result = table.position(column, row, ofKey: key)
      return result.position..<result.position + (result.isFound ? 1 : 0)
    }
    let resolved = collection.content.resolve(identity, in: snapshot)
    if !resolved.missing.isEmpty { return 0..<0 }
    let result = table.position(column, row, ofElement: resolved.value)
    var range = result.position..<result.position + (result.isFound ? 1 : 0)
    guard case .date = resolved.value else { return range }
    let wanted = ElementIdentity(identity)
    func isWanted(_ position: Int) -> Bool {
      ElementIdentity(table.element(column, row, at: position)) == wanted
    }
    while range.lowerBound > 0, isWanted(range.lowerBound - 1) {
      range = range.lowerBound - 1..<range.upperBound
    }
    while range.upperBound < table.count(column, row), isWanted(range.upperBound) {
      range = range.lowerBound..<range.upperBound + 1
    }
    return range
  }

  private func element(at position: Int) -> CollectionElement {
    let value = collection.serverValue(table.element(column, row, at: position), in: snapshot)
    return collection.kind == .map
      ? CollectionElement(identity: .string(table.key(column, row, at: position)), value: value)
      : collection.element(value)
  }

  /// Returns an element; nil when the collection does not have it.
  func find(_ identity: Value) -> CollectionElement? {
    if let element = unresolved[ElementIdentity(identity)] { return element }
    let positions = positions(of: identity)
    return positions.isEmpty ? nil : element(at: positions.lowerBound)
  }

  /// Whether the collection has an element as the server has it.
  func has(_ wanted: CollectionElement) -> Bool {
    if let element = unresolved[ElementIdentity(wanted.identity)] {
      return element.value.isExactly(wanted.value)
    }
    let positions = positions(of: wanted.identity)
    guard positions.count == 1 else { return false }
    let here = element(at: positions.lowerBound)
    // Only dates are rounded by the server.
    return here.value.isExactly(wanted.value)
      && (collection.element != .timestamp || here.identity.isExactly(wanted.identity))
  }

  var isEmpty: Bool { unresolved.isEmpty && table.count(column, row) == 0 }

  var all: [CollectionElement] {
    let visible = (0..<table.count(column, row)).map { element(at: $0) }
    if unresolved.isEmpty { return visible }
    return visible.filter { unresolved[ElementIdentity($0.identity)] == nil } + unresolved.values
  }

  /// Returns the elements whose values in the file satisfy a condition.
  func elements(where isWanted: (Value) -> Bool) -> [CollectionElement] {
    (0..<table.count(column, row)).filter { isWanted(table.element(column, row, at: $0)) }
      .map { element(at: $0) }
  }

  /// Whether the file shows all of an element that the server has.
  func isShown(_ wanted: CollectionElement) -> Bool {
    let positions = positions(of: wanted.identity)
    guard positions.count == 1 else { return false }
    if collection.kind == .set { return true }
    let resolved = collection.content.resolve(wanted.value, in: snapshot).value
    return table.element(column, row, at: positions.lowerBound).isExactly(resolved)
  }

  // MARK: Changes, in the write transaction that is open, up to `finish`

  /// Adds an element as the server has it, or writes the value of an entry.
  mutating func set(_ wanted: CollectionElement) {
    if collection.kind == .map, case .string(let key) = wanted.identity {
      if let documents = collection.documents { return setDocument(wanted.value, key, of: documents) }
      let (value, missing) = collection.content.resolve(wanted.value, in: snapshot)
      table.setMapValue(column, row, key: key, value)
      if missing.isEmpty { forgetUnresolved(wanted.identity) } else { keepUnresolved(wanted) }
      return
    }
    remove(wanted.identity)
    let (value, missing) = collection.content.resolve(collection.value(of: wanted), in: snapshot)
    if missing.isEmpty {
      table.insertIntoSet(column, row, value)
    } else {
      keepUnresolved(wanted)
    }
  }

  /// Writes the embedded object of an entry. One that is there stays the same object.
  private func setDocument(_ value: Value, _ key: String, of documents: Int) {
    let document = EmbeddedDocument(snapshot)
    let found = table.position(column, row, ofKey: key)
    let present = found.isFound ? table.element(column, row, at: found.position) : .null
    if value.isNull {
      table.setMapValue(column, row, key: key, .null)
    } else if present.isNull {
      table.setMapValue(column, row, key: key, document.insert(value, table: documents))
    } else {
      _ = document.write(value, to: present)
    }
  }

  mutating func remove(_ identity: Value) {
    forgetUnresolved(identity)
    let positions = positions(of: identity)
    if !positions.isEmpty { table.removeElements(column, row, positions) }
  }

  /// Keeps an element beside the file. Does nothing when it cannot be written down: then the server has not got it.
  mutating func keepUnresolved(_ element: CollectionElement) {
    guard collection.canLink, (try? ServerMixed.bytes(of: collection.content([element]))) != nil else {
      return
    }
    unresolved[ElementIdentity(element.identity)] = element
    isUnresolvedChanged = true
  }

  mutating func forgetUnresolved(_ identity: Value) {
    if unresolved.isEmpty { return }
    if unresolved.removeValue(forKey: ElementIdentity(identity)) != nil { isUnresolvedChanged = true }
  }

  /// Writes down the elements whose links are not all resolved.
  mutating func finish() {
    if !isUnresolvedChanged { return }
    isUnresolvedChanged = false
    if unresolved.isEmpty { return links.remove(place, in: snapshot) }
    let content = collection.content(Array(unresolved.values))
    links.set(
      place, content, waitingFor: collection.missingTargets(of: content, in: snapshot), in: snapshot)
  }
}

// Elements as one value, in which they are kept beside the file.
extension LocalCollection {
  /// Returns elements as a list, or as a dictionary for those of a map.
  fileprivate func content(_ elements: [CollectionElement]) -> Value {
    if kind != .map { return .list(elements.map { value(of: $0) }.sorted { Value.order($0, $1) < 0 }) }
    let entries = elements.compactMap { element -> Value.DictionaryEntry? in
      guard case .string(let key) = element.identity else { return nil }
      return Value.DictionaryEntry(key: key, value: element.value)
    }
    return .dictionary(entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
  }

  /// Returns the elements in a value that `content` has returned.
  func elements(_ content: Value) -> [CollectionElement] {
    switch content {
    case .list(let elements): elements.map { element($0) }
    case .dictionary(let entries):
      entries.map { CollectionElement(identity: .string($0.key), value: $0.value) }
    default: []
    }
  }

  /// Returns the objects that elements link to and the file does not have.
  func missingTargets(of content: Value, in snapshot: Snapshot) -> [UnresolvedLinks.Target] {
    elements(content).flatMap { element in
      self.content.resolve(value(of: element), in: snapshot).missing
        .compactMap { $0 }
    }
  }
}
