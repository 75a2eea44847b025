/// The top array of a file: names and places of the tables, and where nodes end.
struct Group {
  private enum Slot {
    static let names = 0
    static let tables = 1
    static let size = 2
  }

  /// How many slots engines have given it.
  private static let counts: Set<Int> = [3, 5, 7, 9, 10, 11, 12]
  private static let largest = 1 << 16

  let space: NodeSpace
  private let top: References

  struct Table {
    let slot: Int
    let name: String
    let reference: Int
  }

  /// - Parameter isSalvaging: Whether a file that is shorter than it should be is read as far as it goes.
  init(_ content: FileContent, _ header: FileHeader, _ reference: Int, isSalvaging: Bool = false) throws {
    let base = content.bytes.baseAddress!
    top = try NodeSpace(base: base, end: header.end).references(at: reference)
    guard Self.counts.contains(top.count), !top.node.isInner else {
      throw top.damage("a top array of \(top.count) slots")
    }
    let size = isSalvaging ? header.end : try top.number(Slot.size)
    guard size <= content.bytes.count else {
      throw top.damage("it should have \(size) bytes, and has \(content.bytes.count)")
    }
    space = NodeSpace(base: base, end: min(header.end, size))
  }

  /// Returns the existing tables; slots of deleted tables are free.
  func tables() throws -> [Table] {
    let slots = try space.references(at: top.reference(Slot.tables))
    guard slots.count <= Self.largest else { throw slots.damage("\(slots.count) tables") }
    let names = try names(slots)
    return try (0..<slots.count).compactMap { slot in
      if slots[slot] == 0 || slots.isNumber(slot) { return nil }
      return Table(slot: slot, name: names[slot], reference: try slots.reference(slot))
    }
  }

  private func names(_ slots: References) throws -> [String] {
    let names = try ShortStrings.names(space.node(at: top.reference(Slot.names)), limit: slots.count)
    guard names.count == slots.count else {
      throw slots.damage("\(names.count) names for \(slots.count) tables")
    }
    return names
  }

  /// The tables of a damaged file, nil for one that cannot be reached, which is noted. Without names they get others.
  func tables(noting losses: Losses, _ place: Place) throws -> [Table?] {
    let slots = try space.references(at: top.reference(Slot.tables))
    guard slots.count <= Self.largest else { throw slots.damage("\(slots.count) tables") }
    let names = try losses.noting(.names, place, count: nil) { try self.names(slots) }
    var known: Set<String> = []
    return try (0..<slots.count).compactMap { slot in
      let isFree = slots[slot] == 0 || slots.isNumber(slot)
      // The name of a deleted table is deleted, too.
      if isFree && names?[slot].isEmpty != false { return nil }
      var name = names?[slot] ?? "\(TableName.classPrefix)Unnamed\(slot)"
      if !known.insert(name).inserted { name += "_\(slot)" }
      known.insert(name)
      let place = TableName(name, path: place.path).place
      let reference = try losses.noting(.classes, place, count: nil) {
        if isFree { throw slots.damage("slot \(slot) is empty") }
        return try slots.reference(slot)
      }
      return .some(reference.map { Table(slot: slot, name: name, reference: $0) })
    }
  }
}
