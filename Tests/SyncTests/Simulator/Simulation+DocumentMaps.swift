import Storage
import Sync
import TestSupport

/// Chests with maps of embedded purses, each of which is one value of the server: all files have what the server has.
final class DocumentMapKind: RecordedKind {
  private var chest = 0
  private var purse: Int { chest + 1 }
  private static let purses = 1
  private static let (name, count, tags, next) = (0, 1, 2, 3)
  private static let keys: ClosedRange<Int64> = 1...4
  private static let labels = ["a", "b", "it's", "ä"]
  /// The key of a chest that is never deleted.
  private static let kept: Int64 = 301
  /// The keys of the kept chest's entries of which each is inserted once.
  var record = ElementRecord()

  func tables(first: Int) -> [TableDescription] {
    chest = first
    return [
      TableDescription(
        name: "Chest",
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true),
          Column(name: "purses", type: .link, collection: .map, isNullable: true, target: first + 1),
        ]),
      TableDescription(
        name: "Purse", isEmbedded: true,
        columns: [
          Column(name: "name", type: .string), Column(name: "count", type: .int),
          Column(name: "tags", type: .string, collection: .list),
          Column(name: "next", type: .link, isNullable: true, target: first + 1),
        ]),
    ]
  }

  var classToLeaveOut: String? { "Chest" }

  var preparation: String { "insert into app.\"Chest\" (id) values (301)" }

  // MARK: Work

  func work(_ file: SimulatedFile, _ simulation: Simulation) throws {
    let count = Int.random(in: 1...4, using: &simulation.random)
    var write = ElementRecord.Write()
    try file.write { snapshot in
      for _ in 0..<count {
        if Int.random(in: 0..<9, using: &simulation.random) == 0 {
          workOnChest(file, snapshot, simulation)
        } else {
          changePurses(file, snapshot, simulation, &write)
        }
      }
    }
    record.note(write, in: file)
  }

  private func makePurse(_ snapshot: Snapshot, _ name: String) -> Value {
    let purses = snapshot.table(purse)
    let row = purses.insertRow()
    purses.setString(Self.name, row, name)
    purses.setInteger(Self.count, row, 0)
    purses.setLink(Self.next, row, nil)
    return .link(table: purse, row: row)
  }

  private func workOnChest(_ file: SimulatedFile, _ snapshot: Snapshot, _ simulation: Simulation) {
    let chests = snapshot.table(chest)
    let key = Int64.random(in: Self.keys, using: &simulation.random)
    if let row = file.row(chest, .int(key)) { return chests.deleteRow(row) }
    let row = chests.insertRow()
    chests.setInteger(0, row, key)
    for label in Self.labels.prefix(2) {
      chests.setMapValue(Self.purses, row, key: label, makePurse(snapshot, simulation.text()))
    }
  }

  private func changePurses(
    _ file: SimulatedFile, _ snapshot: Snapshot, _ simulation: Simulation, _ write: inout ElementRecord.Write
  ) {
    let key = (Array(Self.keys) + [Self.kept, Self.kept, Self.kept]).randomElement(using: &simulation.random)!
    guard let row = file.row(chest, .int(key)) else { return }
    let chests = snapshot.table(chest)
    let choice = Int.random(in: 0..<10, using: &simulation.random)
    if choice == 0 && key == Self.kept {
      let text = simulation.text()
      chests.setMapValue(Self.purses, row, key: text, makePurse(snapshot, text))
      write.inserted.insert(text)
      return
    }
    let count = chests.count(Self.purses, row)
    if choice < 3 || count == 0 {
      let label = Self.labels.randomElement(using: &simulation.random)!
      let isNull = Int.random(in: 0..<5, using: &simulation.random) == 0
      let value = isNull ? .null : makePurse(snapshot, simulation.text())
      chests.setMapValue(Self.purses, row, key: label, value)
      return
    }
    let position = Int.random(in: 0..<count, using: &simulation.random)
    if choice == 3 {
      write.removed.insert(chests.key(Self.purses, row, at: position))
      return chests.removeElements(Self.purses, row, position..<position + 1)
    }
    if case .link(_, let here) = chests.element(Self.purses, row, at: position) {
      edit(here, choice, snapshot, simulation)
    }
  }

  private func edit(_ row: Int, _ choice: Int, _ snapshot: Snapshot, _ simulation: Simulation) {
    let purses = snapshot.table(purse)
    let count = Int64.random(in: 0...99, using: &simulation.random)
    switch choice {
    // The entry stays, with null.
    case 4: purses.deleteRow(row)
    case 5: purses.appendElement(Self.tags, row, .string(simulation.text()))
    case 6:
      guard case .link(_, let next) = makePurse(snapshot, simulation.text()) else { return }
      purses.setLink(Self.next, row, next)
    case 7: purses.setInteger(Self.count, purses.link(Self.next, row) ?? row, count)
    default: purses.setInteger(Self.count, row, count)
    }
  }

  func statement(_ simulation: Simulation) -> String? {
    let key = Int64.random(in: Self.keys, using: &simulation.random)
    let owner = Bool.random(using: &simulation.random) ? key : Self.kept
    func put(_ value: String) -> String {
      """
      insert into app."Chest.purses" (owner, key, value) select id, 'a', \(value) from app."Chest" where id = \(owner)
        on conflict (owner, key) do update set value = excluded.value
      """
    }
    switch Int.random(in: 0..<7, using: &simulation.random) {
    case 0: return "insert into app.\"Chest\" (id) values (\(key)) on conflict do nothing"
    case 1: return "delete from app.\"Chest\" where id = \(key)"
    case 2: return put("'{\"t\": \"dictionary\", \"v\": {\"count\": {\"t\": \"int\", \"v\": 7}}}'")
    case 3: return put("null")
    case 4: return "delete from app.\"Chest.purses\" where owner = \(owner) and key = 'b'"
    case 5:
      return """
        insert into app."Chest.purses" (owner, key, value) select id, 'unreadable', '5' from app."Chest"
          where id = \(owner) on conflict do nothing
        """
    default:
      return """
        update app."Chest.purses" set value = jsonb_set(value, '{v,count}', '{"t": "int", "v": 8}')
          where owner = \(owner) and value <> '5'
        """
    }
  }

  // MARK: Rules

  func objects(of syncClass: SyncClass, in file: SimulatedFile) throws -> [ExactValue: [ExactValue]]? {
    syncClass.table == chest ? try file.keys(table: syncClass.table) : nil
  }

  func check(_ simulation: Simulation) throws {
    let maps = try maps(simulation)
    for file in simulation.files {
      try file.writer.advance()
      let (chests, purses) = (file.writer.table(chest), file.writer.table(purse))
      var (failure, shown): (String?, Int) = (nil, 0)
      chests.forEachRow { row in
        let key = chests.integer(0, row)
        let here = chests.elements(Self.purses, row).enumerated().map { position, value in
          let (text, count) = text(value, purses)
          shown += count
          return "\(chests.key(Self.purses, row, at: position))=\(text)"
        }
        if here != maps[key] ?? [] { failure = "purses of \(key): \(here), the server \(maps[key] ?? [])" }
      }
      if file.writer.liveCount(table: purse) != shown { failure = "purses without a chest" }
      if let failure { throw simulation.fail("\(file.number) has \(failure)") }
    }
    let there = (maps[Self.kept] ?? []).compactMap { $0.split(separator: "=").first.map(String.init) }
    try record.checkLost(there, simulation)
  }

  /// Returns what a purse holds, and the number of purses in it, itself included.
  private func text(_ purse: Value, _ purses: Table) -> (String, Int) {
    guard case .link(_, let row) = purse else { return ("null", 0) }
    let tags = purses.elements(Self.tags, row).map { if case .string(let tag) = $0 { tag } else { "?" } }
    let (next, count) = text(purses.value(Self.next, row), purses)
    return (
      "\(purses.string(Self.name, row))|\(purses.integer(Self.count, row))|\(tags.joined(separator: ","))|\(next)",
      count + 1
    )
  }

  /// The entries of each chest that files can read.
  private func maps(_ simulation: Simulation) throws -> [Int64: [String]] {
    var maps: [Int64: [String]] = [:]
    try simulation.outsider.copyOut(
      """
      copy (
        with recursive purse (owner, key, depth, value) as (
          select owner, key, 0, value from app."Chest.purses" where value is null or value <> '5'
          union all select owner, key, depth + 1, value #> '{v,next}' from purse where value ->> 't' = 'dictionary')
        select owner, key || '=' || string_agg(
            case when value ->> 't' = 'dictionary' then
              coalesce(value #>> '{v,name,v}', '') || '|' || (value #>> '{v,count,v}') || '|' || coalesce(
                (select string_agg(tag ->> 'v', ',' order by number) from
                  jsonb_array_elements(value #> '{v,tags,v}') with ordinality t(tag, number)), '')
              else 'null' end, '|' order by depth)
          from purse group by owner, key order by owner, key) to stdout (format binary)
      """, [.bigint, .text]
    ) {
      if case .int(let owner) = $0[0], case .string(let text) = $0[1] {
        maps[owner, default: []].append(text)
      }
    }
    return maps
  }
}
