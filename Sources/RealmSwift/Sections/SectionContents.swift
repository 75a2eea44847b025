import Storage

/// The sections of a result as they were found once.
struct SectionContents<Key> {
  struct Section {
    let key: Key
    let identity: ValueIdentity
    /// The rows of the objects, or for plain values their positions among the values, in the result's order.
    var elements: ContiguousArray<Int>
  }

  /// In the order in which their keys first come up.
  private(set) var sections: [Section] = []
  private var indexes: [ValueIdentity: Int] = [:]

  func index(of key: ValueIdentity) -> Int? { indexes[key] }

  /// Adds an element behind those of its section.
  mutating func append(_ element: Int, key: Key, _ stored: StoredValue, after previous: inout Int) {
    // Sorted elements mostly go where the last one went.
    if previous < sections.count, sections[previous].identity.isEqual(to: stored) {
      sections[previous].elements.append(element)
      return
    }
    let identity = ValueIdentity(stored)
    if let index = indexes[identity] {
      previous = index
      sections[index].elements.append(element)
      return
    }
    previous = sections.count
    indexes[identity] = previous
    sections.append(Section(key: key, identity: identity, elements: [element]))
  }
}

extension ValueIdentity {
  /// What tells a section from others. Stops the program for a link.
  init(sectionKey key: some _Persistable) { self.init(Self.stored(key)) }

  /// The stored form of the key of a section.
  static func stored(_ key: some _Persistable) -> StoredValue {
    if let stored = key._rlmStoredScalar { return stored }
    if key._rlmDynamicValue == nil { return .null }
    trap("Links are not supported as section keys.")
  }
}
