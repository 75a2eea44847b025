import Storage
import Sync
import TestSupport

/// Boxes with lists and maps of mixed values, which link to toys: all files have what the server has, with null in the place of links
/// to what is not there.
final class MixedElementKind: RecordedKind {
  private var box = 0
  private var toy: Int { box + 1 }
  private static let (things, labels) = (MixedModel.things, MixedModel.labels)
  private static let keys: ClosedRange<Int64> = 1...4
  /// The key of a box that is never deleted.
  private static let kept: Int64 = 301
  /// The texts of the kept box's list.
  var record = ElementRecord()

  func tables(first: Int) -> [TableDescription] {
    box = first
    return MixedModel.tables(toyKey: .int)
  }

  var classToLeaveOut: String? { "Box" }

  var preparation: String { "insert into app.\"Box\" (id) values (301)" }

  // MARK: Work

  func work(_ file: SimulatedFile, _ simulation: Simulation) throws {
    let count = Int.random(in: 1...4, using: &simulation.random)
    var write = ElementRecord.Write()
    try file.write { snapshot in
      for _ in 0..<count {
        switch Int.random(in: 0..<9, using: &simulation.random) {
        case 0: workOnBox(file, snapshot.table(box), simulation)
        case 1, 2: workOnToy(file, snapshot.table(toy), simulation)
        case 3, 4, 5: changeLabels(file, snapshot.table(box), simulation)
        default: changeThings(file, snapshot.table(box), simulation, &write)
        }
      }
    }
    record.note(write, in: file)
  }

  private func key(_ simulation: Simulation) -> Int64 { .random(in: Self.keys, using: &simulation.random) }

  private func workOnBox(_ file: SimulatedFile, _ boxes: Table, _ simulation: Simulation) {
    let key = key(simulation)
    if let row = file.row(box, .int(key)) { return boxes.deleteRow(row) }
    let row = boxes.insertRow()
    boxes.setInteger(0, row, key)
    for _ in 0..<3 { boxes.appendElement(Self.things, row, thing(file, simulation)) }
  }

  private func workOnToy(_ file: SimulatedFile, _ toys: Table, _ simulation: Simulation) {
    let key = key(simulation)
    guard let row = file.row(toy, .int(key)) else { return toys.setInteger(0, toys.insertRow(), key) }
    if Bool.random(using: &simulation.random) { toys.deleteRow(row) }
  }

  private func thing(_ file: SimulatedFile, _ simulation: Simulation) -> Value {
    func link() -> Value {
      file.row(toy, .int(key(simulation))).map { .link(table: toy, row: $0) } ?? .null
    }
    switch Int.random(in: 0..<7, using: &simulation.random) {
    case 0: return .int(1)
    case 1: return .double(Double.random(in: -1...1, using: &simulation.random))
    case 2: return .list([link(), .string("a"), .dictionary([.init(key: "k", value: link())])])
    case 3: return .null
    case 4: return .date([1.5, 1.500_000_2].randomElement(using: &simulation.random)!)
    default: return link()
    }
  }

  private func randomBox(_ file: SimulatedFile, _ simulation: Simulation) -> (key: Int64, row: Int)? {
    let key = (Array(Self.keys) + [Self.kept, Self.kept, Self.kept]).randomElement(using: &simulation.random)!
    return file.row(box, .int(key)).map { (key, $0) }
  }

  private func changeLabels(_ file: SimulatedFile, _ boxes: Table, _ simulation: Simulation) {
    guard let (_, row) = randomBox(file, simulation) else { return }
    let label = ["a", "b", "it's"].randomElement(using: &simulation.random)!
    let found = boxes.position(Self.labels, row, ofKey: label)
    if found.isFound && Int.random(in: 0..<3, using: &simulation.random) == 0 {
      boxes.removeElements(Self.labels, row, found.position..<found.position + 1)
    } else {
      boxes.setMapValue(Self.labels, row, key: label, thing(file, simulation))
    }
  }

  private func changeThings(
    _ file: SimulatedFile, _ boxes: Table, _ simulation: Simulation, _ write: inout ElementRecord.Write
  ) {
    guard let (key, row) = randomBox(file, simulation) else { return }
    let count = boxes.count(Self.things, row)
    func text(_ position: Int) -> String? {
      if case .string(let text) = boxes.element(Self.things, row, at: position) { text } else { nil }
    }
    func noteRemoved(_ position: Int) {
      if let text = text(position) { write.removed.insert(text) }
    }
    switch Int.random(in: 0..<8, using: &simulation.random) {
    case 0, 1:
      if count == 0 { return }
      let position = Int.random(in: 0..<count, using: &simulation.random)
      noteRemoved(position)
      boxes.removeElements(Self.things, row, position..<position + 1)
    case 2:
      if count == 0 { return }
      let position = Int.random(in: 0..<count, using: &simulation.random)
      noteRemoved(position)
      boxes.replaceElement(Self.things, row, at: position, thing(file, simulation))
    case 3, 4:
      if count < 2 { return }
      let position = Int.random(in: 0..<count, using: &simulation.random)
      if let text = text(position) { write.changed.insert(text) }
      boxes.moveElement(
        Self.things, row, from: position, to: Int.random(in: 0..<count, using: &simulation.random))
    case 5:
      let text = simulation.text()
      boxes.insertElement(
        Self.things, row, at: Int.random(in: 0...count, using: &simulation.random), .string(text))
      if key == Self.kept { write.inserted.insert(text) }
    default:
      boxes.insertElement(
        Self.things, row, at: Int.random(in: 0...count, using: &simulation.random), thing(file, simulation))
    }
  }

  func statement(_ simulation: Simulation) -> String? {
    let (key, other) = (key(simulation), key(simulation))
    let link = "{\"t\": \"link\", \"v\": \(other), \"class\": \"Toy\"}"
    let owner = Bool.random(using: &simulation.random) ? key : Self.kept
    switch Int.random(in: 0..<6, using: &simulation.random) {
    case 0: return "insert into app.\"Toy\" (id) values (\(key)) on conflict do nothing"
    case 1: return "delete from app.\"Toy\" where id = \(key)"
    case 2: return "insert into app.\"Box\" (id) values (\(key)) on conflict do nothing"
    case 3: return "delete from app.\"Box\" where id = \(key)"
    case 4:
      return
        "insert into app.\"Box.things\" (owner, value) select id, '\(link)' from app.\"Box\" where id = \(owner)"
    default:
      // Also to what is not there.
      return """
        insert into app."Box.labels" (owner, key, value) select id, 'a', '{"t": "list", "v": [\(link), \(link)]}'
          from app."Box" where id = \(owner) on conflict (owner, key) do update set value = excluded.value
        """
    }
  }

  // MARK: Rules

  func objects(of syncClass: SyncClass, in file: SimulatedFile) throws -> [ExactValue: [ExactValue]]? {
    syncClass.table == box || syncClass.table == toy ? try file.keys(table: syncClass.table) : nil
  }

  func check(_ simulation: Simulation) throws {
    let things = try lists(simulation)
    let labels = try maps(simulation)
    for file in simulation.files {
      try file.writer.advance()
      let boxes = file.writer.table(box)
      var failure: String?
      boxes.forEachRow { row in
        let key = boxes.integer(0, row)
        let list = (things[key] ?? []).map { shown($0, file) }
        if !boxes.elements(Self.things, row).areExactly(list) {
          failure = "things of \(key): \(boxes.elements(Self.things, row)), the server \(list)"
        }
        let map = (labels[key] ?? [:]).mapValues { ExactValue(shown($0, file)) }
        var here: [String: ExactValue] = [:]
        for (position, value) in boxes.elements(Self.labels, row).enumerated() {
          here[boxes.key(Self.labels, row, at: position)] = ExactValue(value)
        }
        if here != map { failure = "labels of \(key): \(here), the server \(map)" }
      }
      if let failure { throw simulation.fail("\(file.number) has \(failure)") }
    }
    let there = (things[Self.kept] ?? []).compactMap { value -> String? in
      if case .string(let text) = value { text } else { nil }
    }
    try record.check(there, simulation)
  }

  private func lists(_ simulation: Simulation) throws -> [Int64: [Value]] {
    var lists: [Int64: [Value]] = [:]
    try simulation.outsider.copyOut(
      "copy (select owner, value from app.\"Box.things\" order by owner, _key, _el) to stdout (format binary)",
      [.bigint, .jsonb]
    ) { if case .int(let owner) = $0[0] { lists[owner, default: []].append($0[1]) } }
    return lists
  }

  private func maps(_ simulation: Simulation) throws -> [Int64: [String: Value]] {
    var maps: [Int64: [String: Value]] = [:]
    try simulation.outsider.copyOut(
      "copy (select owner, key, value from app.\"Box.labels\") to stdout (format binary)",
      [.bigint, .text, .jsonb]
    ) {
      if case .int(let owner) = $0[0], case .string(let key) = $0[1] {
        maps[owner, default: [:]][key] = $0[2]
      }
    }
    return maps
  }

  /// Returns a value of the server as a file shows it.
  private func shown(_ value: Value, _ file: SimulatedFile) -> Value {
    if let linked = value.linkedObject {
      return file.row(toy, linked.key).map { .link(table: toy, row: $0) } ?? .null
    }
    switch value {
    case .list(let elements): return .list(elements.map { shown($0, file) })
    case .dictionary(let entries):
      return .dictionary(entries.map { .init(key: $0.key, value: shown($0.value, file)) })
    default: return value
    }
  }
}
