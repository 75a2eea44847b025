import Storage
import Sync

/// Counters: each increment of each client and of the SQL program is on the server once.
final class SimulatedCounters: SimulatedKind {
  /// A counter of an object that is never deleted and never refused.
  private struct Counter: Hashable {
    var key: Int64
    var column: Int
  }

  private static let name = "Post"
  private static let counters = [(column: 2, name: "likes"), (column: 3, name: "shares")]
  /// Keys of the objects whose counters are summed. Every client, and the SQL program, creates what it does not have.
  private static let summed: ClosedRange<Int64> = 201...206

  private var table = 0
  /// What files have added, with the version that has it.
  private var added = FileWrites<[Counter: Int64]>()
  /// What the SQL program has added.
  private var foreign: [Counter: Int64] = [:]
  /// What the open transaction of the SQL program adds.
  private var open: [Counter: Int64] = [:]

  func tables(first: Int) -> [TableDescription] {
    table = first
    return [
      TableDescription(
        name: Self.name,
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true), Column(name: "title", type: .string),
        ] + Self.counters.map { Column(name: $0.name, type: .int) })
    ]
  }

  var classToLeaveOut: String? { Self.name }

  var counters: Set<PropertyName> { Set(Self.counters.map { PropertyName(Self.name, $0.name) }) }

  var constraints: String { "alter table app.\"Post\" add check (title <> 'refused')" }

  var preparation: String { "insert into app.\"Post\" (id) select k from generate_series(201, 203) k" }

  func work(_ file: SimulatedFile, _ simulation: Simulation) throws {
    let count = Int.random(in: 1...3, using: &simulation.random)
    var amounts: [Counter: Int64] = [:]
    try file.write { snapshot in
      for _ in 0..<count {
        if Int.random(in: 0..<4, using: &simulation.random) > 0 {
          increment(file, snapshot, simulation, &amounts)
        } else {
          workOnOthers(file, snapshot, simulation)
        }
      }
    }
    added.note(amounts, in: file)
  }

  private func increment(
    _ file: SimulatedFile, _ snapshot: Snapshot, _ simulation: Simulation, _ added: inout [Counter: Int64]
  ) {
    let rows = snapshot.table(table)
    let key = Int64.random(in: Self.summed, using: &simulation.random)
    var row = file.row(table, .int(key)) ?? -1
    if row < 0 {
      row = rows.insertRow()
      rows.setInteger(0, row, key)
      rows.setString(1, row, simulation.text())
    }
    let column = Self.counters.randomElement(using: &simulation.random)!.column
    let value = rows.integer(column, row)
    // An assignment is an increment, too.
    let next =
      Int.random(in: 0..<4, using: &simulation.random) == 0
      ? Int64.random(in: -50...50, using: &simulation.random)
      : value + Int64.random(in: -3...9, using: &simulation.random)
    rows.setInteger(column, row, next)
    added[Counter(key: key, column: column), default: 0] += next - value
    if Int.random(in: 0..<4, using: &simulation.random) == 0 { rows.setString(1, row, simulation.text()) }
  }

  /// Objects that are created, deleted and refused.
  private func workOnOthers(_ file: SimulatedFile, _ snapshot: Snapshot, _ simulation: Simulation) {
    let rows = snapshot.table(table)
    let key = Int64.random(in: 1...4, using: &simulation.random)
    guard let row = file.row(table, .int(key)) else {
      let row = rows.insertRow()
      rows.setInteger(0, row, key)
      rows.setInteger(2, row, Int64.random(in: 0...3, using: &simulation.random))
      return
    }
    switch Int.random(in: 0..<8, using: &simulation.random) {
    case 0: rows.deleteRow(row)
    case 1: rows.setString(1, row, "refused")
    case 2: rows.setString(1, row, simulation.text())
    default: rows.setInteger(2, row, rows.integer(2, row) + 1)
    }
  }

  func statement(_ simulation: Simulation) -> String? {
    if Int.random(in: 0..<5, using: &simulation.random) == 0 {
      let key = Int.random(in: 1...4, using: &simulation.random)
      return Bool.random(using: &simulation.random)
        ? "delete from app.\"Post\" where id = \(key)" : "update app.\"Post\" set likes = 7 where id = \(key)"
    }
    let key = Int64.random(in: Self.summed, using: &simulation.random)
    let counter = Self.counters.randomElement(using: &simulation.random)!
    let amount = Int64.random(in: -5...20, using: &simulation.random)
    open[Counter(key: key, column: counter.column), default: 0] += amount
    return """
      insert into app."Post" as p (id, \(counter.name)) values (\(key), \(amount))
        on conflict (id) do update set \(counter.name) = p.\(counter.name) + excluded.\(counter.name)
      """
  }

  func endStatements(isCommitted: Bool) {
    if isCommitted { foreign.merge(open) { $0 + $1 } }
    open = [:]
  }

  func forget(_ file: SimulatedFile, after version: UInt64) { added.forget(file, after: version) }

  func noteRestore(_ file: SimulatedFile, to version: UInt64, sent: UInt64) {
    added.noteRestore(file, to: version, sent: sent)
  }

  func noteCopy(_ copy: SimulatedFile, of original: SimulatedFile) { added.noteCopy(copy, of: original) }

  func note(_ rejected: [RejectedObject], in file: SimulatedFile) {
    if rejected.contains(where: { $0.className == Self.name && $0.reason == .lost }) {
      added.drop(file, className: Self.name)
    }
  }

  func check(_ simulation: Simulation) throws {
    var sums = foreign
    // What a copy has sent counts once, and what all have taken back does not count.
    let transactions = Dictionary(added.all.map { ($0.transaction, $0.content) }) { first, _ in first }
    for amounts in transactions.values { sums.merge(amounts) { $0 + $1 } }
    let posts = try simulation.serverObjects(simulation.model[Self.name]!)
    for (counter, sum) in sums {
      let value = posts[ExactValue(.int(counter.key))]?[counter.column - 1]
      if value != ExactValue(.int(sum)) {
        throw simulation.fail(
          "\(counter) is \(value.map { "\($0.value)" } ?? "missing"), and \(sum) was added")
      }
    }
  }
}
