import Storage

// Lists of embedded objects: each object is one value of the server.
extension SyncClient {
  /// Writes a list of embedded objects as its elements say. The objects of elements that stay are changed and moved in place; those
  /// that cannot be read keep their place unseen. Returns whether the list was changed.
  ///
  /// - Parameter documents: The table of the embedded objects.
  func showDocuments(
    _ synced: inout SyncedList, _ former: SyncedList, _ pulled: [PulledListElement], _ list: LocalList,
    of documents: Int, _ key: CollectionKey
  ) -> Bool {
    let table = snapshot.table(key.table)
    var rewriting = DocumentListRewriting(table, key, documents: documents)
    rewriting.begin(with: former.elements.filter(\.isVisible).map(\.number))
    let present = Set(rewriting.present)
    var values: [Int64: Value] = [:]
    let kept = Dictionary(uniqueKeysWithValues: synced.elements.map { ($0.number, $0.value) })
    for element in pulled where element.value.unreadableReason == nil {
      // Otherwise the program's value is the later one.
      if kept[element.number] == list.kept(element.value) { values[element.number] = element.value }
    }
    for index in synced.elements.indices {
      let number = synced.elements[index].number
      synced.elements[index].isVisible = present.contains(number) || values[number] != nil
    }
    rewriting.rewrite(synced.elements.filter(\.isVisible).map(\.number), values)
    var objects = table.objects(key.column, key.row).makeIterator()
    for index in synced.elements.indices {
      synced.elements[index].object = synced.elements[index].isVisible ? objects.next() : nil
    }
    return rewriting.isChanged
  }
}

extension Table {
  /// Returns the rows of the embedded objects in a list, in their order.
  func objects(_ column: Int, _ row: Int) -> [Int] {
    elements(column, row).compactMap { if case .link(_, let object) = $0 { object } else { nil } }
  }
}

/// Changes a list of embedded objects so that it has other elements, in the write transaction that is open.
private struct DocumentListRewriting {
  private let table: Table
  private let key: CollectionKey
  /// The table of the embedded objects.
  private let documents: Int
  /// The numbers of the elements that are in the list.
  private(set) var present: [Int64] = []
  private(set) var isChanged = false

  init(_ table: Table, _ key: CollectionKey, documents: Int) {
    (self.table, self.key, self.documents) = (table, key, documents)
  }

  /// Takes note of the elements in the list. Removes all if they are others.
  mutating func begin(with numbers: [Int64]) {
    present = numbers
    if numbers.count == table.count(key.column, key.row) { return }
    table.removeAllElements(key.column, key.row)
    present = []
    isChanged = true
  }

  /// Gives the list the wished elements.
  ///
  /// - Parameter values: The values of elements that have new ones, and of all that the list does not have.
  mutating func rewrite(_ wished: [Int64], _ values: [Int64: Value]) {
    let rewriting = ListRewriting(present, wished)
    remove(rewriting.removed, except: Set(wished))
    let here = Set(present)
    let (document, (column, row)) = (EmbeddedDocument(table.snapshot), (key.column, key.row))
    // The position of the wished element before the next one.
    var last = -1
    for (index, number) in wished.enumerated() {
      if !here.contains(number) {
        last += 1
        present.insert(number, at: last)
        table.insertElement(column, row, at: last, document.insert(values[number]!, table: documents))
        isChanged = true
        continue
      }
      if rewriting.inserted.contains(index) { move(number, behind: &last) }
      repeat { last += 1 } while present[last] != number
      if let value = values[number], document.write(value, to: table.element(column, row, at: last)) {
        isChanged = true
      }
    }
  }

  /// Removes the elements that are not wished any more.
  private mutating func remove(_ positions: IndexRanges, except wished: Set<Int64>) {
    for position in positions.members.reversed() where !wished.contains(present[position]) {
      table.removeElements(key.column, key.row, position..<position + 1)
      present.remove(at: position)
      isChanged = true
    }
  }

  private mutating func move(_ number: Int64, behind last: inout Int) {
    let source = present.firstIndex(of: number)!
    present.remove(at: source)
    if source <= last { last -= 1 }
    table.moveElement(key.column, key.row, from: source, to: last + 1)
    present.insert(number, at: last + 1)
    isChanged = true
  }
}
