import Storage

/// Distinct elements in the order in which they were inserted.
struct DistinctElements<Element: RealmCollectionValue> {
  private(set) var elements: ContiguousArray<Element> = []
  private var seen: Set<ElementIdentity<Element>> = []

  mutating func insert(_ element: Element) {
    if seen.insert(ElementIdentity(element)).inserted { elements.append(element) }
  }

  /// Complexity: O(n).
  mutating func remove(_ element: Element) {
    let identity = ElementIdentity(element)
    guard seen.remove(identity) != nil else { return }
    elements.remove(at: elements.firstIndex { ElementIdentity($0) == identity }!)
  }

  mutating func removeAll() {
    elements = []
    seen = []
  }

  func contains(_ element: Element) -> Bool { seen.contains(ElementIdentity(element)) }

  func isEqual(to other: DistinctElements) -> Bool { seen == other.seen }
}

/// What makes an element of a set in memory distinct: numbers their value, whatever their type; NaN is itself.
struct ElementIdentity<Element: RealmCollectionValue>: Hashable {
  private let element: Element
  private let number: ValueIdentity?

  init(_ element: Element) {
    self.element = element
    let stored = (element as? any _Persistable)?._rlmStoredScalar
    number =
      switch stored {
      case .int, .float, .double, .decimal128: stored.map { ValueIdentity($0) }
      default: nil
      }
  }

  static func == (a: ElementIdentity, b: ElementIdentity) -> Bool {
    if let first = a.number, let second = b.number { return first == second }
    return a.number == nil && b.number == nil && a.element == b.element
  }

  func hash(into hasher: inout Hasher) {
    guard let number else { return element.hash(into: &hasher) }
    number.hash(into: &hasher)
  }
}
