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
  /// For each element of the result, in its order, the position of its section.
  private(set) var sectionOfElement: ContiguousArray<Int32> = []
  private var indexes: [ValueIdentity: Int] = [:]

  func index(of key: ValueIdentity) -> Int? { indexes[key] }

  /// Adds an element behind those of its section.
  mutating func append(_ element: Int, key: Key, _ stored: StoredValue) {
    let section = section(key, stored)
    sections[section].elements.append(element)
    sectionOfElement.append(Int32(truncatingIfNeeded: section))
  }

  /// The section of a key, which is made when there is none.
  private mutating func section(_ key: Key, _ stored: StoredValue) -> Int {
    // Most sorted elements belong to the section of the one before.
    if let last = sectionOfElement.last, sections[Int(last)].identity.isEqual(to: stored) { return Int(last) }
    let identity = ValueIdentity(stored)
    if let index = indexes[identity] { return index }
    indexes[identity] = sections.count
    sections.append(Section(key: key, identity: identity, elements: []))
    return sections.count - 1
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
