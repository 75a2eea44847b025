import Storage

// Insertions that wait in several copies of a file. Their elements have other numbers in each of them.
extension SyncedList {
  /// What an insertion is known by in copies of a file.
  private struct Insertion: Hashable {
    var stamp: Stamp
    /// The value as the server compares it, unless it is long.
    var identity: ElementIdentity?
    /// The type of a mixed value.
    var type: MixedType?
    var value: ListValue?

    init(_ stamp: Stamp, _ value: ListValue) {
      self.stamp = stamp
      if value.isShort {
        (identity, type) = (ElementIdentity(value.key), MixedType(value.key))
      } else {
        self.value = value
      }
    }
  }

  /// Gives insertions that wait here, and that copies of this file have sent, the numbers and places of the sent elements.
  ///
  /// An element that was written, moved or removed before it was sent is not recognised. The change log has positions only: the
  /// file sends the element with the stamp of its insertion, or does not send it.
  ///
  /// - Parameters:
  ///   - acknowledged: The version up to which the server has the operations.
  ///   - isKey: Whether the values are keys of link targets.
  mutating func adoptInsertions(_ pulled: [PulledListElement], acknowledged: UInt64, isKey: Bool) {
    if pulled.isEmpty { return }
    let sent = Set(pulled.map(\.number))
    var waiting: [Insertion: [Int]] = [:]
    for (index, element) in elements.enumerated().reversed() where !sent.contains(element.number) {
      guard let operation = operation(on: element.number, after: acknowledged),
        operation.kind(after: acknowledged) == .insertion, let stamp = operation.valueStamp
      else { continue }
      waiting[Insertion(stamp, element.value), default: []].append(index)
    }
    if waiting.isEmpty { return }
    // An element that was read twice is one.
    var known = Set(elements.map(\.number))
    let others = pulled.filter { known.insert($0.number).inserted }
    for element in others.sorted(by: { ListPlace($0.key, $0.number) < ListPlace($1.key, $1.number) }) {
      let insertion = Insertion(element.valueStamp, ListValue(element.value, isKey: isKey))
      if let index = waiting[insertion]?.popLast() { adopt(element, at: index) }
    }
  }

  private mutating func adopt(_ element: PulledListElement, at index: Int) {
    let operation = operations.removeValue(forKey: elements[index].number)!
    elements[index].number = element.number
    if let position = operation.positionStamp, position > element.positionStamp {
      operations[element.number] = Operation(.update, position: position, version: operation.version)
    } else {
      elements[index].key = element.key
    }
  }
}
