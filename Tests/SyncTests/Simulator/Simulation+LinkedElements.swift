import Storage
import Sync
import TestSupport

/// Sets and maps of links between objects of two classes. Every file has the elements that the server has, without those that link
/// to objects which the server does not have.
final class LinkedElementKind: SimulatedKind {
  /// What a user did to an element of the band that is never deleted, whose fan is never deleted either.
  private struct Change {
    var stamp: UInt64
    var isPresent: Bool
  }

  private var band = 0
  private var fan: Int { band + 1 }
  private static let (members, roles) = (1, 2)
  private static let keys: ClosedRange<Int64> = 1...5
  /// The key of a band whose link to the lasting fan only the files change.
  private static let kept: Int64 = 301
  private var changes = FileWrites<Change>()

  func tables(first: Int) -> [TableDescription] {
    band = first
    return [
      TableDescription(
        name: "Band",
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true),
          Column(name: "members", type: .link, collection: .set, target: first + 1),
          Column(name: "roles", type: .link, collection: .map, isNullable: true, target: first + 1),
        ]),
      TableDescription(
        name: "Fan",
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true),
          Column(name: "friends", type: .link, collection: .set, target: first + 1),
        ]),
    ]
  }

  var classToLeaveOut: String? { "Band" }

  var constraints: String { "alter table app.\"Band.members\" add check (value <> 5 or owner = 301)" }

  var preparation: String {
    "insert into app.\"Fan\" (id) values (301); insert into app.\"Band\" (id) values (301)"
  }

  // MARK: Work

  func work(_ file: SimulatedFile, _ simulation: Simulation) throws {
    if Int.random(in: 0..<4, using: &simulation.random) == 0 { return try workOnKept(file, simulation) }
    let count = Int.random(in: 1...4, using: &simulation.random)
    try file.write { snapshot in
      for _ in 0..<count {
        if Int.random(in: 0..<3, using: &simulation.random) == 0 {
          workOnFan(file, snapshot.table(fan), simulation)
        } else {
          workOnBand(file, snapshot.table(band), simulation)
        }
      }
    }
  }

  private func key(_ simulation: Simulation) -> Int64 { .random(in: Self.keys, using: &simulation.random) }

  private func workOnFan(_ file: SimulatedFile, _ fans: Table, _ simulation: Simulation) {
    let key = key(simulation)
    guard let row = file.row(fan, .int(key)) else {
      let row = fans.insertRow()
      fans.setInteger(0, row, key)
      return toggle(1, row, fans, fan, file, simulation)
    }
    switch Int.random(in: 0..<4, using: &simulation.random) {
    case 0, 1: fans.deleteRow(row)
    case 2:
      fans.deleteRow(row)
      fans.setInteger(0, fans.insertRow(), key)
    default: toggle(1, row, fans, fan, file, simulation)
    }
  }

  private func workOnBand(_ file: SimulatedFile, _ bands: Table, _ simulation: Simulation) {
    let keys = Array(Self.keys) + [Self.kept]
    let key = keys.randomElement(using: &simulation.random)!
    guard let row = file.row(band, .int(key)) else {
      if key == Self.kept { return }
      let row = bands.insertRow()
      bands.setInteger(0, row, key)
      for _ in 0..<3 { toggle(Self.members, row, bands, fan, file, simulation) }
      return
    }
    switch Int.random(in: 0..<10, using: &simulation.random) {
    case 0:
      if key != Self.kept { bands.deleteRow(row) }
    case 1:
      if key != Self.kept { bands.removeAllElements(Self.members, row) }
    case 2, 3, 4: toggle(Self.members, row, bands, fan, file, simulation)
    case 5:
      let count = bands.count(Self.roles, row)
      if count == 0 { return }
      let position = Int.random(in: 0..<count, using: &simulation.random)
      bands.removeElements(Self.roles, row, position..<position + 1)
    default:
      let role = ["a", "b", "it's"].randomElement(using: &simulation.random)!
      bands.setMapValue(Self.roles, row, key: role, randomLink(fan, file, simulation) ?? .null)
    }
  }

  /// Returns a link to an object that is there; nil in some cases, and if there is none.
  private func randomLink(_ table: Int, _ file: SimulatedFile, _ simulation: Simulation) -> Value? {
    file.row(table, .int(key(simulation))).map { .link(table: table, row: $0) }
  }

  /// Adds a link to a set, or removes it.
  private func toggle(
    _ column: Int, _ row: Int, _ table: Table, _ target: Int, _ file: SimulatedFile, _ simulation: Simulation
  ) {
    guard let link = randomLink(target, file, simulation) else { return }
    toggle(column, row, table, link)
  }

  /// Returns whether the link is in the set now.
  @discardableResult
  private func toggle(_ column: Int, _ row: Int, _ table: Table, _ link: Value) -> Bool {
    let found = table.position(column, row, ofElement: link)
    if found.isFound {
      table.removeElements(column, row, found.position..<found.position + 1)
    } else {
      table.insertIntoSet(column, row, link)
    }
    return !found.isFound
  }

  private func workOnKept(_ file: SimulatedFile, _ simulation: Simulation) throws {
    try file.writer.advance()
    guard let row = file.row(band, .int(Self.kept)), let target = file.row(fan, .int(Self.kept)) else {
      return
    }
    var isPresent = false
    let stamp = try file.write {
      isPresent = toggle(Self.members, row, $0.table(band), .link(table: fan, row: target))
    }
    changes.note(Change(stamp: stamp, isPresent: isPresent), in: file)
  }

  func forget(_ file: SimulatedFile, after version: UInt64) { changes.forget(file, after: version) }

  func noteRestore(_ file: SimulatedFile, to version: UInt64, sent: UInt64) {
    changes.noteRestore(file, to: version, sent: sent)
  }

  func noteCopy(_ copy: SimulatedFile, of original: SimulatedFile) { changes.noteCopy(copy, of: original) }

  func statement(_ simulation: Simulation) -> String? {
    let (key, other) = (key(simulation), key(simulation))
    switch Int.random(in: 0..<8, using: &simulation.random) {
    case 0: return "insert into app.\"Fan\" (id) values (\(key)) on conflict do nothing"
    case 1: return "delete from app.\"Fan\" where id = \(key)"
    case 2: return "insert into app.\"Band\" (id) values (\(key)) on conflict do nothing"
    case 3: return "delete from app.\"Band\" where id = \(key)"
    case 4: return "delete from app.\"Band.members\" where owner = \(key) and value = \(other)"
    case 5:
      return """
        insert into app."Band.roles" (owner, key, value) select id, 'a', \(other) from app."Band"
          where id = \(key) on conflict (owner, key) do update set value = excluded.value
        """
    default:
      // Also to what is not there.
      return """
        insert into app."Band.members" (owner, value) select id, \(min(other, 4)) from app."Band" where id = \(key)
          on conflict do nothing
        """
    }
  }

  // MARK: Rules

  func objects(of syncClass: SyncClass, in file: SimulatedFile) throws -> [ExactValue: [ExactValue]]? {
    syncClass.table == band || syncClass.table == fan ? try file.keys(table: syncClass.table) : nil
  }

  func check(_ simulation: Simulation) throws {
    let members = try rows("select owner, value from app.\"Band.members\"", simulation)
    let shown = [
      try rows(
        "select e.owner, e.value from app.\"Band.members\" e join app.\"Fan\" f on f.id = e.value", simulation
      ),
      try rows(
        "select e.owner, e.key, f.id from app.\"Band.roles\" e left join app.\"Fan\" f on f.id = e.value",
        simulation),
      try rows(
        "select e.owner, e.value from app.\"Fan.friends\" e join app.\"Fan\" f on f.id = e.value", simulation),
    ]
    for file in simulation.files {
      try file.writer.advance()
      for (name, server, here) in [
        ("Band.members", shown[0], set(band, Self.members, file)), ("Band.roles", shown[1], map(file)),
        ("Fan.friends", shown[2], set(fan, 1, file)),
      ] where server != here {
        throw simulation.fail(
          "\(file.number) differs in \(name): only the server has \(server.subtracting(here)), "
            + "only the file \(here.subtracting(server))")
      }
    }
    try checkLatest(members.contains("\(Self.kept) \(Self.kept)"), simulation)
  }

  /// Verifies that the kept band's link to the lasting fan is as the latest change has left it.
  private func checkLatest(_ isPresent: Bool, _ simulation: Simulation) throws {
    let stamped = changes.all.map { change in
      (stamp: change.corrected(change.content.stamp, simulation), isPresent: change.content.isPresent)
    }
    guard let latest = stamped.map(\.stamp).max() else { return }
    if stamped.contains(where: { $0.stamp == latest && $0.isPresent == isPresent }) { return }
    throw simulation.fail(
      "the kept link is \(isPresent ? "there" : "missing"), and was changed by \(stamped)")
  }

  private func rows(_ sql: String, _ simulation: Simulation) throws -> Set<String> {
    Set(
      try simulation.outsider.runScript(sql).map { row in
        (0..<row.count).map { row.text($0) ?? "-" }.joined(separator: " ")
      })
  }

  /// The number that a link leads to.
  private func key(_ link: Value, _ file: SimulatedFile) -> String {
    if case .link(let table, let row) = link { "\(file.writer.table(table).integer(0, row))" } else { "-" }
  }

  private func set(_ number: Int, _ column: Int, _ file: SimulatedFile) -> Set<String> {
    let table = file.writer.table(number)
    var found: Set<String> = []
    table.forEachRow { row in
      for link in table.elements(column, row) {
        found.insert("\(table.integer(0, row)) \(key(link, file))")
      }
    }
    return found
  }

  private func map(_ file: SimulatedFile) -> Set<String> {
    let bands = file.writer.table(band)
    var found: Set<String> = []
    bands.forEachRow { row in
      for (position, link) in bands.elements(Self.roles, row).enumerated() {
        found.insert(
          "\(bands.integer(0, row)) \(bands.key(Self.roles, row, at: position)) \(key(link, file))")
      }
    }
    return found
  }
}
