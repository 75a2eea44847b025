import Storage
import Sync

/// Clubs with sets and maps: the latest change of each element decides.
final class SetKind: SimulatedKind {
  /// What a user did to an element of the club that is never deleted.
  private struct Change {
    var place: Place
    var stamp: UInt64
    /// The value that it has since then; nil if it was removed.
    var value: ExactValue?
  }

  /// An element of the club that is never deleted.
  private struct Place: Hashable {
    var column: Int
    var identity: ExactValue
  }

  private var table = 0
  private static let (members, moods, days, scores) = (2, 3, 4, 5)
  /// The key of a club whose elements only the files change.
  private static let kept: Int64 = 301
  private static let keys: ClosedRange<Int64> = 1...4
  private var changes = FileWrites<Change>()

  func tables(first: Int) -> [TableDescription] {
    table = first
    return [
      TableDescription(
        name: "Club",
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true), Column(name: "name", type: .string),
          Column(name: "members", type: .string, collection: .set),
          Column(name: "moods", type: .int, collection: .set, isNullable: true),
          Column(name: "days", type: .date, collection: .set),
          Column(name: "scores", type: .string, collection: .map, isNullable: true),
        ])
    ]
  }

  var constraints: String { "alter table app.\"Club.members\" add check (value <> 'refused')" }

  var preparation: String { "insert into app.\"Club\" (id, name) values (301, 'kept')" }

  var classToLeaveOut: String? { "Club" }

  // MARK: Work

  func work(_ file: SimulatedFile, _ simulation: Simulation) throws {
    if Int.random(in: 0..<3, using: &simulation.random) == 0 {
      return try workOnKept(file, simulation)
    }
    let count = Int.random(in: 1...4, using: &simulation.random)
    try file.write { snapshot in
      for _ in 0..<count { work(file, snapshot.table(table), simulation) }
    }
  }

  private func work(_ file: SimulatedFile, _ clubs: Table, _ simulation: Simulation) {
    let key = Int64.random(in: Self.keys, using: &simulation.random)
    guard let row = file.row(table, .int(key)) else {
      let row = clubs.insertRow()
      clubs.setInteger(0, row, key)
      clubs.setString(1, row, simulation.text())
      for _ in 0..<Int.random(in: 0...4, using: &simulation.random) {
        change(row, clubs, simulation)
      }
      return
    }
    switch Int.random(in: 0..<16, using: &simulation.random) {
    case 0: clubs.deleteRow(row)
    case 1: clubs.setString(1, row, simulation.text())
    case 2:
      clubs.removeAllElements(
        [Self.members, Self.scores].randomElement(using: &simulation.random)!, row)
    case 3:
      let other = Int64.random(in: Self.keys, using: &simulation.random)
      if file.row(table, .int(other)) == nil { clubs.setInteger(0, row, other) }
    case 4:
      clubs.insertIntoSet(
        Self.members, row, .string(["refused", "a\0b"].randomElement(using: &simulation.random)!))
    default: change(row, clubs, simulation)
    }
  }

  /// Adds, writes or removes an element.
  private func change(_ row: Int, _ clubs: Table, _ simulation: Simulation) {
    let column = [Self.members, Self.moods, Self.days, Self.scores].randomElement(
      using: &simulation.random)!
    let identity = identity(column, simulation)
    if column == Self.scores, case .string(let key) = identity {
      let position = clubs.position(column, row, ofKey: key)
      if position.isFound && Int.random(in: 0..<3, using: &simulation.random) == 0 {
        clubs.removeElements(column, row, position.position..<position.position + 1)
      } else {
        clubs.setMapValue(column, row, key: key, score(simulation))
      }
      return
    }
    let position = clubs.position(column, row, ofElement: identity)
    if position.isFound {
      clubs.removeElements(column, row, position.position..<position.position + 1)
    } else {
      clubs.insertIntoSet(column, row, identity)
    }
  }

  private func identity(_ column: Int, _ simulation: Simulation) -> Value {
    switch column {
    case Self.moods:
      let number = Int64.random(in: 0...3, using: &simulation.random)
      return number == 0 ? .null : .int(number)
    case Self.days:
      // Some are less than a microsecond apart.
      return .date([1.5, 1.500_000_2, 2.25, 1e9].randomElement(using: &simulation.random)!)
    default:
      return .string(
        ["a", "b", "it's", "\u{e9}", "e\u{301}"].randomElement(using: &simulation.random)!)
    }
  }

  private func score(_ simulation: Simulation) -> Value {
    Int.random(in: 0..<5, using: &simulation.random) == 0 ? .null : .string(simulation.text())
  }

  /// Changes an element of the club whose changes are all known.
  private func workOnKept(_ file: SimulatedFile, _ simulation: Simulation) throws {
    try file.writer.advance()
    guard file.row(table, .int(Self.kept)) != nil else { return }
    let column = [Self.members, Self.moods, Self.scores].randomElement(using: &simulation.random)!
    let identity = identity(column, simulation)
    var value: ExactValue?
    let stamp = try file.write { snapshot in
      guard let row = file.row(table, .int(Self.kept)) else { return }
      let clubs = snapshot.table(table)
      if column == Self.scores, case .string(let key) = identity {
        let position = clubs.position(column, row, ofKey: key)
        if position.isFound && Bool.random(using: &simulation.random) {
          clubs.removeElements(column, row, position.position..<position.position + 1)
        } else {
          value = ExactValue(score(simulation))
          clubs.setMapValue(column, row, key: key, value!.value)
        }
        return
      }
      let position = clubs.position(column, row, ofElement: identity)
      if position.isFound {
        clubs.removeElements(column, row, position.position..<position.position + 1)
      } else {
        value = ExactValue(.null)
        clubs.insertIntoSet(column, row, identity)
      }
    }
    let place = Place(column: column, identity: ExactValue(identity))
    changes.note(Change(place: place, stamp: stamp, value: value), in: file)
  }

  func statement(_ simulation: Simulation) -> String? {
    let key = Int64.random(in: Self.keys, using: &simulation.random)
    switch Int.random(in: 0..<7, using: &simulation.random) {
    case 0:
      return "insert into app.\"Club\" (id, name) values (\(key), 'sql') on conflict do nothing"
    case 1:
      return """
        insert into app."Club.members" (owner, value) select id, 'a' from app."Club" where id = \(key)
          on conflict do nothing
        """
    case 2: return "delete from app.\"Club.members\" where owner = \(key) and value in ('a', 'b')"
    case 3:
      return """
        insert into app."Club.moods" (owner, value) select id, null from app."Club" where id = \(key)
          on conflict do nothing
        """
    case 4:
      return """
        insert into app."Club.scores" (owner, key, value) select id, 'a', '\(simulation.text())' from app."Club"
          where id = \(key) on conflict (owner, key) do update set value = excluded.value
        """
    case 5: return "delete from app.\"Club.scores\" where owner = \(key)"
    default: return "delete from app.\"Club\" where id = \(key)"
    }
  }

  func forget(_ file: SimulatedFile, after version: UInt64) { changes.forget(file, after: version) }

  func noteRestore(_ file: SimulatedFile, to version: UInt64, sent: UInt64) {
    changes.noteRestore(file, to: version, sent: sent)
  }

  func noteCopy(_ copy: SimulatedFile, of original: SimulatedFile) { changes.noteCopy(copy, of: original) }

  // MARK: Rules

  func objects(
    of syncClass: SyncClass, in file: SimulatedFile
  ) throws -> [ExactValue:
    [ExactValue]]?
  {
    if syncClass.table != table { return nil }
    try file.writer.advance()
    let clubs = file.writer.table(table)
    var objects: [ExactValue: [ExactValue]] = [:]
    for row in 0..<clubs.rowLimit where clubs.isAlive(row) {
      objects[ExactValue(clubs.value(0, row))] = [ExactValue(clubs.value(1, row))]
    }
    return objects
  }

  func check(_ simulation: Simulation) throws {
    let club = simulation.model["Club"]!
    for collection in club.collections {
      let server = try serverElements(collection, simulation)
      for file in simulation.files {
        let here = try elements(collection.column, file)
        if here == server { continue }
        let owners = Set(server.keys).union(here.keys).filter { server[$0] != here[$0] }
        throw simulation.fail(
          "\(file.number) differs in Club.\(collection.name): "
            + owners.map { "\($0.value): server \(server[$0] ?? [:]), here \(here[$0] ?? [:])" }
            .joined(separator: "; "))
      }
      try checkLatest(collection, server[ExactValue(.int(Self.kept))] ?? [:], simulation)
    }
  }

  /// Verifies that each element of the kept club is as the latest change has left it.
  private func checkLatest(
    _ collection: SyncCollection, _ server: [ExactValue: ExactValue], _ simulation: Simulation
  ) throws {
    let byPlace = Dictionary(grouping: changes.all, by: \.content.place)
    for (place, changes) in byPlace where place.column == collection.column {
      let stamped = changes.map { change in
        (stamp: change.corrected(change.content.stamp, simulation), value: change.content.value)
      }
      let latest = stamped.map(\.stamp).max()
      if stamped.contains(where: { $0.stamp == latest && $0.value == server[place.identity] }) {
        continue
      }
      throw simulation.fail(
        "Club.\(collection.name) \(place.identity.value) is "
          + "\(server[place.identity].map { "\($0.value)" } ?? "missing"), and was changed by \(stamped)"
      )
    }
  }

  /// The elements by their owners, with their values; null in a set.
  private func serverElements(
    _ collection: SyncCollection, _ simulation: Simulation
  ) throws -> [ExactValue: [ExactValue: ExactValue]] {
    let isMap = collection.kind == .map
    let names = ServerNames(schema: "app", className: "Club", collection: collection.name)
    var elements: [ExactValue: [ExactValue: ExactValue]] = [:]
    try simulation.outsider.copyOut(
      "copy (select owner, \(isMap ? "key, " : "")value from \(names.table)) to stdout (format binary)",
      [.bigint] + (isMap ? [.text] : []) + [collection.element]
    ) { fields in
      elements[ExactValue(fields[0]), default: [:]][ExactValue(fields[1])] = ExactValue(
        isMap ? fields[2] : .null)
    }
    return elements
  }

  private func elements(
    _ column: Int, _ file: SimulatedFile
  ) throws -> [ExactValue: [ExactValue: ExactValue]] {
    try file.writer.advance()
    let clubs = file.writer.table(table)
    var elements: [ExactValue: [ExactValue: ExactValue]] = [:]
    for row in 0..<clubs.rowLimit where clubs.isAlive(row) {
      let owner = ExactValue(clubs.value(0, row))
      for position in 0..<clubs.count(column, row) {
        let element = ExactValue(clubs.element(column, row, at: position))
        if column == Self.scores {
          elements[owner, default: [:]][ExactValue(.string(clubs.key(column, row, at: position)))] =
            element
        } else {
          elements[owner, default: [:]][element] = ExactValue(.null)
        }
      }
    }
    return elements
  }
}
