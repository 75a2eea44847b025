import Storage
import Sync
import TestSupport

/// Lists of texts and of links: what was inserted and never removed is there exactly once, what was removed is not there, and
/// all see the same order.
final class SimulatedLists: RecordedKind {
  private static let (name, targets) = ("Litter", "Pup")
  private static let (notes, pups) = (1, 2)
  /// Keys of the objects that are never deleted.
  private static let lasting: ClosedRange<Int64> = 301...302

  private var table = 0
  var record = ElementRecord()
  /// What the open transaction of the SQL program inserts.
  private var open: Set<String> = []

  func tables(first: Int) -> [TableDescription] {
    table = first
    return [
      TableDescription(
        name: Self.name,
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true),
          Column(name: "notes", type: .string, collection: .list),
          Column(name: "pups", type: .link, collection: .list, target: first + 1),
        ]),
      // With a list, so that lists are composed while the other class is left out.
      TableDescription(
        name: Self.targets,
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true),
          Column(name: "names", type: .string, collection: .list),
        ]),
    ]
  }

  var preparation: String {
    "insert into app.\"Litter\" (id) select k from generate_series(301, 302) k"
  }

  var classToLeaveOut: String? { Self.name }

  // MARK: Work

  func work(_ file: SimulatedFile, _ simulation: Simulation) throws {
    let count = Int.random(in: 1...4, using: &simulation.random)
    var write = ElementRecord.Write()
    try file.write { snapshot in
      for _ in 0..<count {
        switch Int.random(in: 0..<10, using: &simulation.random) {
        case 0: workOnOwner(file, snapshot, simulation)
        case 1, 2: workOnPup(file, snapshot, simulation)
        case 3, 4, 5: changePups(file, snapshot, simulation)
        default: changeNotes(file, snapshot, simulation, &write)
        }
      }
    }
    record.note(write, in: file)
  }

  private func owner(_ file: SimulatedFile, _ simulation: Simulation) -> (key: Int64, row: Int)? {
    let keys = Array(Self.lasting) + [1, 2]
    let key = keys.randomElement(using: &simulation.random)!
    return file.row(table, .int(key)).map { (key, $0) }
  }

  private func workOnOwner(_ file: SimulatedFile, _ snapshot: Snapshot, _ simulation: Simulation) {
    let key = Int64.random(in: 1...2, using: &simulation.random)
    let rows = snapshot.table(table)
    if let row = file.row(table, .int(key)) { return rows.deleteRow(row) }
    let row = rows.insertRow()
    rows.setInteger(0, row, key)
    for number in 0..<Int.random(in: 0..<3, using: &simulation.random) {
      rows.appendElement(Self.notes, row, .string("\(simulation.text()) \(number)"))
    }
  }

  private func workOnPup(_ file: SimulatedFile, _ snapshot: Snapshot, _ simulation: Simulation) {
    let key = Int64.random(in: 1...4, using: &simulation.random)
    let rows = snapshot.table(table + 1)
    if let row = file.row(table + 1, .int(key)) {
      if Int.random(in: 0..<3, using: &simulation.random) == 0 { rows.deleteRow(row) }
      return
    }
    rows.setInteger(0, rows.insertRow(), key)
  }

  private func changePups(_ file: SimulatedFile, _ snapshot: Snapshot, _ simulation: Simulation) {
    guard let (_, row) = owner(file, simulation) else { return }
    let rows = snapshot.table(table)
    let count = rows.count(Self.pups, row)
    switch Int.random(in: 0..<5, using: &simulation.random) {
    case 0 where count > 0:
      let position = Int.random(in: 0..<count, using: &simulation.random)
      rows.removeElements(Self.pups, row, position..<position + 1)
    case 1 where count > 1:
      rows.moveElement(
        Self.pups, row, from: Int.random(in: 0..<count, using: &simulation.random),
        to: Int.random(in: 0..<count, using: &simulation.random))
    default:
      let key = Int64.random(in: 1...4, using: &simulation.random)
      guard let pup = file.row(table + 1, .int(key)) else { return }
      rows.insertElement(
        Self.pups, row, at: Int.random(in: 0...count, using: &simulation.random),
        .link(table: table + 1, row: pup))
    }
  }

  private func changeNotes(
    _ file: SimulatedFile, _ snapshot: Snapshot, _ simulation: Simulation, _ write: inout ElementRecord.Write
  ) {
    guard let (key, row) = owner(file, simulation) else { return }
    let rows = snapshot.table(table)
    let count = rows.count(Self.notes, row)
    func note(_ position: Int) -> String {
      guard case .string(let text) = rows.element(Self.notes, row, at: position) else { return "" }
      return text
    }
    switch Int.random(in: 0..<10, using: &simulation.random) {
    case 0, 1:
      if count == 0 { return }
      let position = Int.random(in: 0..<count, using: &simulation.random)
      write.removed.insert(note(position))
      rows.removeElements(Self.notes, row, position..<position + 1)
    case 2:
      if count == 0 { return }
      let position = Int.random(in: 0..<count, using: &simulation.random)
      write.removed.insert(note(position))
      rows.replaceElement(Self.notes, row, at: position, .string(simulation.text()))
    case 3, 4:
      if count < 2 { return }
      let position = Int.random(in: 0..<count, using: &simulation.random)
      write.changed.insert(note(position))
      rows.moveElement(
        Self.notes, row, from: position, to: Int.random(in: 0..<count, using: &simulation.random))
    case 5:
      // The list is assigned again, in another order.
      write.changed.formUnion((0..<count).map(note))
      let values = rows.elements(Self.notes, row).shuffled(using: &simulation.random)
      rows.removeAllElements(Self.notes, row)
      rows.insertElements(Self.notes, row, at: 0, values)
    default:
      let position = Int.random(in: 0...count, using: &simulation.random)
      let texts = (0..<Int.random(in: 1...2, using: &simulation.random)).map { _ in simulation.text() }
      rows.insertElements(Self.notes, row, at: position, texts.map { .string($0) })
      if Self.lasting.contains(key) { write.inserted.formUnion(texts) }
    }
  }

  func statement(_ simulation: Simulation) -> String? {
    let key = Self.lasting.randomElement(using: &simulation.random)!
    switch Int.random(in: 0..<6, using: &simulation.random) {
    case 0: return "delete from app.\"Litter\" where id = 1"
    case 1: return "delete from app.\"Litter.notes\" where owner = 2"
    case 2: return "delete from app.\"Litter.pups\" where owner = \(key) and value = 3"
    case 3: return "insert into app.\"Pup\" (id) values (3) on conflict do nothing"
    default:
      let text = simulation.text()
      open.insert(text)
      return "insert into app.\"Litter.notes\" (owner, value) values (\(key), '\(text)')"
    }
  }

  func endStatements(isCommitted: Bool) {
    if isCommitted { record.noteForeign(open) }
    open = []
  }

  // MARK: Rules

  func objects(of syncClass: SyncClass, in file: SimulatedFile) throws -> [ExactValue: [ExactValue]]? {
    guard let table = [Self.name: table, Self.targets: table + 1][syncClass.name] else { return nil }
    try file.writer.advance()
    var objects: [ExactValue: [ExactValue]] = [:]
    file.writer.table(table).forEachRow {
      objects[ExactValue(file.writer.table(table).value(0, $0))] = []
    }
    return objects
  }

  func check(_ simulation: Simulation) throws {
    var lasting: [String] = []
    for key in Array(Self.lasting) + [1, 2] {
      let notes = try texts(
        "select value from app.\"Litter.notes\" where owner = \(key) order by _key, _el", simulation)
      if Self.lasting.contains(key) { lasting += notes }
      let pups = try texts(
        "select e.value::text from app.\"Litter.pups\" e join app.\"Pup\" p on p.id = e.value "
          + "where e.owner = \(key) order by e._key, e._el", simulation)
      for file in simulation.files {
        try file.writer.advance()
        guard let row = file.row(table, .int(key)) else { continue }
        let here = file.writer.table(table).elements(Self.notes, row).map { value -> String in
          if case .string(let text) = value { text } else { "?" }
        }
        if here != notes { throw simulation.fail("\(file.number) has notes \(here), the server \(notes)") }
        let linked = file.writer.table(table).elements(Self.pups, row).map { value -> String in
          guard case .link(let target, let row) = value else { return "?" }
          return "\(file.writer.table(target).integer(0, row))"
        }
        if linked != pups { throw simulation.fail("\(file.number) has pups \(linked), the server \(pups)") }
      }
    }
    try record.check(lasting, simulation)
  }

  private func texts(_ sql: String, _ simulation: Simulation) throws -> [String] {
    try simulation.outsider.runScript(sql).map { $0.text(0) ?? "" }
  }
}
