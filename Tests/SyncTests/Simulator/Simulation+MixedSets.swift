import Storage
import Sync
import TestSupport

/// Bags with sets of mixed values, which link to beads: all files have what the server has, but for links to what is not there.
final class MixedSetKind: RecordedKind {
  private var bag = 0
  private var bead: Int { bag + 1 }
  private static let items = 1
  private static let keys: ClosedRange<Int64> = 1...4
  /// The key of a bag that is never deleted.
  private static let kept: Int64 = 301
  /// The texts of the kept bag.
  var record = ElementRecord()

  func tables(first: Int) -> [TableDescription] {
    bag = first
    return [
      TableDescription(
        name: "Bag",
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true),
          Column(name: "items", type: .mixed, collection: .set, isNullable: true),
        ]),
      TableDescription(name: "Bead", columns: [Column(name: "id", type: .int, isPrimaryKey: true)]),
    ]
  }

  var classToLeaveOut: String? { "Bag" }

  var preparation: String { "insert into app.\"Bag\" (id) values (301)" }

  // MARK: Work

  func work(_ file: SimulatedFile, _ simulation: Simulation) throws {
    let count = Int.random(in: 1...4, using: &simulation.random)
    var write = ElementRecord.Write()
    try file.write { snapshot in
      for _ in 0..<count {
        switch Int.random(in: 0..<9, using: &simulation.random) {
        case 0: workOnBag(file, snapshot.table(bag), simulation)
        case 1, 2: workOnBead(file, snapshot.table(bead), simulation)
        default: changeItems(file, snapshot.table(bag), simulation, &write)
        }
      }
    }
    record.note(write, in: file)
  }

  private func key(_ simulation: Simulation) -> Int64 { .random(in: Self.keys, using: &simulation.random) }

  private func workOnBag(_ file: SimulatedFile, _ bags: Table, _ simulation: Simulation) {
    let key = key(simulation)
    if let row = file.row(bag, .int(key)) { return bags.deleteRow(row) }
    let row = bags.insertRow()
    bags.setInteger(0, row, key)
    for _ in 0..<3 { bags.insertIntoSet(Self.items, row, item(file, simulation)) }
  }

  private func workOnBead(_ file: SimulatedFile, _ beads: Table, _ simulation: Simulation) {
    let key = key(simulation)
    guard let row = file.row(bead, .int(key)) else { return beads.setInteger(0, beads.insertRow(), key) }
    if Bool.random(using: &simulation.random) { beads.deleteRow(row) }
  }

  private func item(_ file: SimulatedFile, _ simulation: Simulation) -> Value {
    let number = Double(Int.random(in: -1...3, using: &simulation.random))
    switch Int.random(in: 0..<8, using: &simulation.random) {
    case 0: return .int(Int64(number))
    case 1: return .double(number == 0 ? -0.0 : number)
    case 2: return .float(Float(number))
    case 3: return .double(number / 10)
    case 4: return .float(Float(number / 10))
    case 5: return [.null, .string("a"), .bool(true), .data([1])].randomElement(using: &simulation.random)!
    case 6: return .date([1.5, 1.500_000_2].randomElement(using: &simulation.random)!)
    default: return file.row(bead, .int(key(simulation))).map { .link(table: bead, row: $0) } ?? .double(.nan)
    }
  }

  private func changeItems(
    _ file: SimulatedFile, _ bags: Table, _ simulation: Simulation, _ write: inout ElementRecord.Write
  ) {
    let key = (Array(Self.keys) + [Self.kept, Self.kept, Self.kept]).randomElement(using: &simulation.random)!
    guard let row = file.row(bag, .int(key)) else { return }
    let count = bags.count(Self.items, row)
    switch Int.random(in: 0..<6, using: &simulation.random) {
    case 0 where key == Self.kept:
      let text = simulation.text()
      bags.insertIntoSet(Self.items, row, .string(text))
      write.inserted.insert(text)
    case 1, 2:
      if count == 0 { return }
      let position = Int.random(in: 0..<count, using: &simulation.random)
      let removed = bags.element(Self.items, row, at: position)
      if case .string(let text) = removed { write.removed.insert(text) }
      bags.removeElements(Self.items, row, position..<position + 1)
      // A number of another type in its place.
      if case .int(let number) = removed { bags.insertIntoSet(Self.items, row, .double(Double(number))) }
    default: bags.insertIntoSet(Self.items, row, item(file, simulation))
    }
  }

  func statement(_ simulation: Simulation) -> String? {
    let key = key(simulation)
    let owner = Bool.random(using: &simulation.random) ? key : Self.kept
    func add(_ value: String) -> String {
      """
      insert into app."Bag.items" (owner, value) select id, '\(value)' from app."Bag" where id = \(owner)
        on conflict do nothing
      """
    }
    switch Int.random(in: 0..<8, using: &simulation.random) {
    case 0: return "insert into app.\"Bead\" (id) values (\(key)) on conflict do nothing"
    case 1: return "delete from app.\"Bead\" where id = \(key)"
    case 2: return "insert into app.\"Bag\" (id) values (\(key)) on conflict do nothing"
    case 3: return "delete from app.\"Bag\" where id = \(key)"
    // Also to what is not there.
    case 4: return add("{\"t\": \"link\", \"v\": \(key), \"class\": \"Bead\"}")
    case 5: return add("{\"t\": \"double\", \"v\": \(key)}")
    case 6: return add("5")
    default:
      return """
        delete from app."Bag.items" where owner = \(owner) and value ->> 't' in ('int', 'link', 'date')
        """
    }
  }

  // MARK: Rules

  func objects(of syncClass: SyncClass, in file: SimulatedFile) throws -> [ExactValue: [ExactValue]]? {
    syncClass.table == bag || syncClass.table == bead ? try file.keys(table: syncClass.table) : nil
  }

  func check(_ simulation: Simulation) throws {
    let sets = try sets(simulation)
    for file in simulation.files {
      try file.writer.advance()
      let bags = file.writer.table(bag)
      var failure: String?
      bags.forEachRow { row in
        let key = bags.integer(0, row)
        let here = bags.elements(Self.items, row)
        let there = (sets[key] ?? []).compactMap { shown($0, file) }.sorted { Value.order($0, $1) < 0 }
        if !here.areExactly(there) { failure = "items of \(key): \(here), the server \(there)" }
      }
      if let failure { throw simulation.fail("\(file.number) has \(failure)") }
    }
    let there = (sets[Self.kept] ?? []).compactMap { value -> String? in
      if case .string(let text) = value { text } else { nil }
    }
    try record.checkLost(there, simulation)
  }

  /// The values of each bag that files can read.
  private func sets(_ simulation: Simulation) throws -> [Int64: [Value]] {
    var sets: [Int64: [Value]] = [:]
    try simulation.outsider.copyOut(
      "copy (select owner, value from app.\"Bag.items\" where value is null or value <> '5') to stdout (format binary)",
      [.bigint, .jsonb]
    ) { if case .int(let owner) = $0[0] { sets[owner, default: []].append($0[1]) } }
    return sets
  }

  /// Returns a value of the server as a file shows it; nil for a link whose target is missing.
  private func shown(_ value: Value, _ file: SimulatedFile) -> Value? {
    guard let linked = value.linkedObject else { return value }
    return file.row(bead, linked.key).map { .link(table: bead, row: $0) }
  }
}
