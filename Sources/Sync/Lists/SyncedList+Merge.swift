package import Storage

/// An element of a list as a snapshot of the server has it.
package struct PulledListElement: Sendable {
  package var owner: Value
  /// The stamp of the owner's creation.
  package var creation: Stamp
  package var number: Int64
  package var key: PositionKey
  package var value: Value
  package var positionStamp: Stamp
  package var valueStamp: Stamp
}

/// An element that was removed on the server.
package struct RemovedListElement: Sendable {
  package var owner: Value
  package var number: Int64
  package var died: Stamp
}

/// What a pull has read of one list property.
package struct PulledList: Sendable {
  package var elements: [PulledListElement] = []
  package var removed: [RemovedListElement] = []
  /// The owners whose elements are all there.
  package var whole: [Value] = []
  /// The greatest stamp of what was compared and is not among the elements.
  package var greatestStamp = Stamp.never

  package init() {}

  package var isEmpty: Bool { elements.isEmpty && removed.isEmpty && whole.isEmpty }
}

extension SyncedList {
  /// Takes what the server has of the list. A pending removal stays, and so does a pending position or value with a later stamp.
  ///
  /// - Parameters:
  ///   - isWhole: Whether the server has no other elements.
  ///   - acknowledged: The version up to which the server has the operations.
  ///   - isKey: Whether the values are keys of link targets.
  package mutating func merge(
    _ pulled: [PulledListElement], removed: [RemovedListElement], isWhole: Bool, acknowledged: UInt64,
    isKey: Bool
  ) {
    var places = Dictionary(uniqueKeysWithValues: elements.enumerated().map { ($1.number, $0) })
    var here: Set<Int64> = []
    for element in pulled {
      here.insert(element.number)
      let pending = operation(on: element.number, after: acknowledged)
      if pending?.kind == .removal { continue }
      // The server has refused the removal that was sent.
      if operations[element.number]?.kind == .removal { operations[element.number] = nil }
      // The file keeps its own value in the place of one that cannot be read.
      let isReadable = element.value.unreadableReason == nil
      let value = ListValue(isReadable ? element.value : .null, isKey: isKey)
      guard let place = places[element.number] else {
        places[element.number] = elements.count
        elements.append(Element(number: element.number, key: element.key, value: value, isVisible: false))
        continue
      }
      if !Self.isLater(pending?.positionStamp, element.positionStamp) { elements[place].key = element.key }
      if isReadable && !Self.isLater(pending?.valueStamp, element.valueStamp) {
        elements[place].value = value
      }
    }
    var gone = Set(removed.map(\.number)).subtracting(here)
    if isWhole {
      for element in elements where !here.contains(element.number) {
        if operation(on: element.number, after: acknowledged)?.kind(after: acknowledged) != .insertion {
          gone.insert(element.number)
        }
      }
    }
    elements.removeAll { gone.contains($0.number) }
    for number in gone
    where operations[number].map({ $0.version > acknowledged && $0.kind != .removal }) ?? false {
      // There is nothing left to send; a restored server may want it.
      operations[number]!.version = acknowledged
    }
    elements.sort { $0.place < $1.place }
  }

  private static func isLater(_ pending: Stamp?, _ server: Stamp) -> Bool {
    pending.map { $0 > server } ?? false
  }
}

extension SyncedList {
  /// Whether the program does not see all of each element.
  var hasUnresolved: Bool { elements.contains { !$0.isVisible || !$0.isComplete } }

  /// Notes which mixed values the program sees whole. An object that was deleted and made again is there, and a link to the former
  /// one is still null.
  ///
  /// - Parameter values: What the program sees.
  mutating func noteCompleteness(shown values: [ListValue]) {
    var next = 0
    for index in elements.indices where elements[index].isVisible {
      let element = elements[index]
      elements[index].isComplete =
        element.value.linking == nil || next < values.count && values[next] == element.value
      next += 1
    }
  }

  /// Notes of which mixed values all targets are there.
  mutating func noteCompleteness(_ list: LocalList, _ snapshot: Snapshot) {
    for index in elements.indices {
      let linking = elements[index].value.linking
      elements[index].isComplete =
        linking.map { list.content.resolve($0, in: snapshot).missing.isEmpty } ?? true
    }
  }
}

/// How the values of a list are changed so that they are others, with as few changes as possible.
package struct ListRewriting {
  /// Positions to be removed, before anything is inserted.
  package var removed = IndexRanges()
  /// Positions to be filled afterwards, in their order.
  package var inserted = IndexRanges()

  /// - Parameters:
  ///   - present: The numbers of the elements in the list.
  ///   - wished: The numbers that are to be in it.
  package init(_ present: [Int64], _ wished: [Int64]) {
    let places = Dictionary(present.enumerated().map { ($1, $0) }) { first, _ in first }
    let order = wished.map { places[$0] }
    let kept = PositionAssignment.longestAscending(order)
    inserted = IndexRanges(wished.indices.filter { !kept[$0] })
    let stays = Set(wished.indices.filter { kept[$0] }.map { order[$0]! })
    removed = IndexRanges(present.indices.filter { !stays.contains($0) })
  }
}
