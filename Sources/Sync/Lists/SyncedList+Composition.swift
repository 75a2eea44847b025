package import Storage

// What the program did to a list, as operations on its elements.
extension SyncedList {
  /// The places and values of a list that the program has changed.
  package struct Edit: Sendable {
    /// How the positions of the visible elements have changed.
    package var positions = PositionChanges()
    /// The stamps of the insertions among them.
    private var insertions = InsertionStamps()
    /// Deleted positions whose targets were deleted: the elements stay, unseen.
    package var severed = IndexRanges()
    /// The stamp of the last change.
    package var stamp = Stamp.never
    /// Whether the list belongs to an object that was created: then all its elements are new.
    package var isNew = false
    /// Whether nothing says how the positions have changed: the values are compared, as if the list had been assigned again as a
    /// whole.
    package var isAssigned = false
    /// The stamps of writes to embedded objects that are elements, by their rows.
    var writtenObjects: [Int: Stamp] = [:]
    /// The rows of the embedded objects that are the elements, in their order; nil in other lists.
    var objects: [Int]?

    package init() {}

    /// Creates the edit of a list whose elements are all new.
    package init(newAt stamp: Stamp) {
      self.stamp = stamp
      isNew = true
      insertions = InsertionStamps(of: stamp)
    }

    /// Returns the stamp of the transaction that has inserted an element. Copies of the file that have it find the same.
    fileprivate func insertionStamp(_ position: Int) -> Stamp { insertions[position] ?? stamp }

    /// Adds what the next transaction has changed.
    package mutating func add(_ change: SyncListChange, _ stamp: Stamp) {
      self.stamp = max(self.stamp, stamp)
      insertions.add(change.positions, stamp)
      if isNew || isAssigned { return }
      // What was inserted or written before goes with its target for good: the server has another value, or none.
      let untouched = change.severedDeletions.subtracting(positions.insertions)
        .subtracting(positions.modifications)
      severed.formUnion(positions.oldPositions(of: untouched))
      var next = change.positions
      next.modifications = next.modifications.subtracting(change.severedModifications)
      positions.merge(next)
    }

    /// Adds the write of an embedded object that is an element.
    mutating func add(writtenObject row: Int, _ stamp: Stamp) {
      self.stamp = max(self.stamp, stamp)
      writtenObjects[row] = max(writtenObjects[row] ?? stamp, stamp)
    }

    /// Returns the stamp with which the value of an element that stayed was written; nil if it differs without having been written.
    fileprivate func writeStamp(of element: Element, at position: Int) -> Stamp? {
      let isModified = positions.modifications.contains(position)
      guard let objects else {
        // A value whose links are not all resolved differs from what the program sees without having been written.
        return element.value.linking == nil || isModified ? stamp : nil
      }
      // An embedded object differs also when its class has got another property.
      let isPutInItsPlace = isModified && element.object != objects[position]
      return isAssigned || isPutInItsPlace ? stamp : writtenObjects[objects[position]]
    }
  }

  /// Composes an edit onto the elements.
  ///
  /// - Parameters:
  ///   - values: The values of the list as the program sees it now.
  ///   - version: The version of the file in which the operations are stored.
  ///   - client: The number of this client.
  ///   - counter: The number of elements that this client has made.
  ///   - shown: Returns what the program sees of a value: null in the place of links whose targets are missing.
  package mutating func compose(
    _ edit: Edit, _ values: [ListValue], version: UInt64, client: Int64, counter: inout Int64,
    shown: (ListValue) -> ListValue = { $0 }
  ) {
    if edit.isNew { (elements, operations) = ([], [:]) }
    var order = remaining(edit, values, version)
    let visible = Set(order.compactMap { $0?.number })
    var removed = elements.filter { $0.isVisible && !visible.contains($0.number) }
    let severed = Set(severedNumbers(edit))
    pairMoves(&order, &removed, values, except: severed, shown)
    for element in removed {
      if severed.contains(element.number) { continue }
      note(element.number, version) {
        $0.kind = .removal
        $0.positionStamp = edit.stamp
      }
    }
    let hidden = elements.filter { !$0.isVisible || severed.contains($0.number) }.map { element in
      var element = element
      element.isVisible = false
      return element
    }
    place(order, hidden, values, edit, version, client, &counter)
  }

  /// Returns for each position of the list the element that stayed in it; nil for an insertion. Notes the values that have
  /// changed.
  private mutating func remaining(_ edit: Edit, _ values: [ListValue], _ version: UInt64) -> [Element?] {
    let visible = elements.filter(\.isVisible)
    let deletions = edit.positions.deletions
    let isWhole = edit.isNew || edit.isAssigned
    let kept = isWhole ? [] : visible.indices.filter { !deletions.contains($0) }
    let inserted = edit.positions.insertions
    var order = [Element?](repeating: nil, count: values.count)
    var next = 0
    for position in order.indices {
      if isWhole || inserted.contains(position) || next >= kept.count { continue }
      order[position] = visible[kept[next]]
      next += 1
    }
    if let objects = edit.objects { follow(objects, &order) }
    for position in order.indices {
      guard let element = order[position], element.value != values[position],
        let stamp = edit.writeStamp(of: element, at: position)
      else { continue }
      order[position]!.value = values[position]
      note(element.number, version) { $0.valueStamp = stamp }
    }
    return order
  }

  /// Puts elements where their embedded objects are now: an object stays the same wherever it is moved, and however it is edited.
  private func follow(_ objects: [Int], _ order: inout [Element?]) {
    let known = elements.compactMap { element in element.object.map { ($0, element) } }
    let owners = Dictionary(known) { first, _ in first }
    if owners.isEmpty { return }
    let present = Set(objects)
    for position in order.indices {
      if let owner = owners[objects[position]] {
        order[position] = owner
      } else if let object = order[position]?.object, present.contains(object) {
        order[position] = nil
      }
    }
  }

  private func severedNumbers(_ edit: Edit) -> [Int64] {
    let visible = elements.filter(\.isVisible)
    return edit.severed.members.filter { $0 < visible.count }.map { visible[$0].number }
  }

  /// What was deleted in one place and inserted in another with the same value is the same element, which moved.
  private func pairMoves(
    _ order: inout [Element?], _ removed: inout [Element], _ values: [ListValue], except severed: Set<Int64>,
    _ shown: (ListValue) -> ListValue
  ) {
    if removed.isEmpty { return }
    var byValue: [ListValue: [Int]] = [:]
    for (index, element) in removed.enumerated().reversed() where !severed.contains(element.number) {
      byValue[shown(element.value), default: []].append(index)
    }
    var moved: Set<Int> = []
    for position in order.indices where order[position] == nil {
      guard let index = byValue[values[position]]?.popLast() else { continue }
      order[position] = removed[index]
      moved.insert(index)
    }
    removed = removed.indices.filter { !moved.contains($0) }.map { removed[$0] }
  }

  /// Gives keys to the elements, and numbers to the new ones.
  private mutating func place(
    _ order: [Element?], _ hidden: [Element], _ values: [ListValue], _ edit: Edit, _ version: UInt64,
    _ client: Int64, _ counter: inout Int64
  ) {
    let whole = interleaved(order, hidden)
    let keys = PositionAssignment.keys(whole.map { $0.element?.place }, client: client)
    elements = []
    for (item, key) in zip(whole, keys) {
      let object = item.position < 0 ? nil : edit.objects?[item.position]
      if var element = item.element {
        element.object = object
        if element.key != key {
          element.key = key
          note(element.number, version) { $0.positionStamp = edit.stamp }
        }
        elements.append(element)
        continue
      }
      counter += 1
      var element = Element(number: client << 40 | counter, key: key, value: values[item.position])
      element.object = object
      let stamp = edit.insertionStamp(item.position)
      operations[element.number] = Operation(.insertion, position: stamp, value: stamp, version: version)
      elements.append(element)
    }
  }

  /// Puts unseen elements where their keys place them: before the first visible element that stays and has a greater key.
  private func interleaved(
    _ order: [Element?], _ hidden: [Element]
  ) -> [(element: Element?, position: Int)] {
    let kept = PositionAssignment.longestAscending(order.map { $0?.place })
    var whole: [(element: Element?, position: Int)] = []
    var rest = hidden.sorted { $0.place < $1.place }[...]
    for (position, element) in order.enumerated() {
      if kept[position], let place = element?.place {
        while let next = rest.first, next.place < place {
          whole.append((next, -1))
          rest = rest.dropFirst()
        }
      }
      whole.append((element, position))
    }
    return whole + rest.map { ($0, -1) }
  }

  /// Notes what was done to an element. The removal of one whose insertion was not acknowledged is noted, too: a push may have brought
  /// the insertion to the server, and its answer been lost.
  private mutating func note(_ number: Int64, _ version: UInt64, _ change: (inout Operation) -> Void) {
    var operation = operations[number] ?? Operation(.update, version: version)
    if operation.kind == .insertion && operation.version < version {
      operation.insertionVersion = operation.insertionVersion ?? operation.version
    }
    change(&operation)
    if operation.kind != .insertion { operation.insertionVersion = nil }
    operation.version = version
    operations[number] = operation
  }
}
