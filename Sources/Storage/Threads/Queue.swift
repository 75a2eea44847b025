/// First in, first out.
///
/// Taking the first member does not move the others, and nothing of it is kept. Amortised constant time, but for what
/// looks at the members.
package struct Queue<Element> {
  private var members: ContiguousArray<Element?> = []
  private var start = 0

  package init() {}

  package var isEmpty: Bool { start == members.count }
  package var count: Int { members.count - start }
  package var first: Element? { isEmpty ? nil : members[start] }

  package mutating func append(_ member: Element) { members.append(member) }

  package mutating func prepend(_ member: Element) {
    if start == 0 { return members.insert(member, at: 0) }
    start -= 1
    members[start] = member
  }

  @discardableResult
  package mutating func removeFirst() -> Element? {
    guard let first else { return nil }
    members[start] = nil
    start += 1
    if isEmpty || start > 64 && start * 2 > members.count {
      members.removeFirst(start)
      start = 0
    }
    return first
  }

  /// Takes all members of which a condition holds.
  package mutating func removeAll(where condition: (Element) -> Bool) -> [Element] {
    // By their places: what collections offer takes a process long when it asks for it first (see `NumberTable`), and a realm
    // asks when it closes.
    var taken: [Element] = []
    var kept: ContiguousArray<Element?> = []
    for place in start..<members.count {
      guard let member = members[place] else { continue }
      if condition(member) { taken.append(member) } else { kept.append(member) }
    }
    if taken.isEmpty { return [] }
    members = kept
    start = 0
    return taken
  }

  /// How far from the first the first member is of which a condition holds.
  package func firstOffset(where condition: (Element) -> Bool) -> Int? {
    members[start...].firstIndex { $0.map(condition) ?? false }.map { $0 - start }
  }

  package mutating func remove(at offset: Int) { members.remove(at: start + offset) }
}
