import Storage
import Sync
import TestSupport

/// Crates with lists of embedded jars, each of which is one value of the server: all files have what the server has.
final class DocumentKind: RecordedKind {
  private var crate = 0
  private var jar: Int { crate + 1 }
  private static let jars = 1
  private static let (name, count, tags) = (0, 1, 2)
  private static let keys: ClosedRange<Int64> = 1...4
  /// The key of a crate that is never deleted.
  private static let kept: Int64 = 301
  /// The names of the kept crate's jars, which are never written.
  var record = ElementRecord()

  func tables(first: Int) -> [TableDescription] {
    crate = first
    return [
      TableDescription(
        name: "Crate",
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true),
          Column(name: "jars", type: .link, collection: .list, target: first + 1),
        ]),
      TableDescription(
        name: "Jar", isEmbedded: true,
        columns: [
          Column(name: "name", type: .string), Column(name: "count", type: .int),
          Column(name: "tags", type: .string, collection: .list),
        ]),
    ]
  }

  var classToLeaveOut: String? { "Crate" }

  var preparation: String { "insert into app.\"Crate\" (id) values (301)" }

  // MARK: Work

  func work(_ file: SimulatedFile, _ simulation: Simulation) throws {
    let count = Int.random(in: 1...4, using: &simulation.random)
    var write = ElementRecord.Write()
    try file.write { snapshot in
      for _ in 0..<count {
        if Int.random(in: 0..<9, using: &simulation.random) == 0 {
          workOnCrate(file, snapshot, simulation)
        } else {
          changeJars(file, snapshot, simulation, &write)
        }
      }
    }
    record.note(write, in: file)
  }

  private func makeJar(_ snapshot: Snapshot, _ name: String) -> Value {
    let jars = snapshot.table(jar)
    let row = jars.insertRow()
    jars.setString(Self.name, row, name)
    jars.setInteger(Self.count, row, 0)
    return .link(table: jar, row: row)
  }

  private func workOnCrate(_ file: SimulatedFile, _ snapshot: Snapshot, _ simulation: Simulation) {
    let crates = snapshot.table(crate)
    let key = Int64.random(in: Self.keys, using: &simulation.random)
    if let row = file.row(crate, .int(key)) { return crates.deleteRow(row) }
    let row = crates.insertRow()
    crates.setInteger(0, row, key)
    for _ in 0..<3 { crates.appendElement(Self.jars, row, makeJar(snapshot, simulation.text())) }
  }

  private func changeJars(
    _ file: SimulatedFile, _ snapshot: Snapshot, _ simulation: Simulation, _ write: inout ElementRecord.Write
  ) {
    let key = (Array(Self.keys) + [Self.kept, Self.kept, Self.kept]).randomElement(using: &simulation.random)!
    guard let row = file.row(crate, .int(key)) else { return }
    let (crates, jars) = (snapshot.table(crate), snapshot.table(jar))
    let count = crates.count(Self.jars, row)
    let choice = Int.random(in: 0..<9, using: &simulation.random)
    if choice < 3 || count == 0 {
      let text = simulation.text()
      let position = Int.random(in: 0...count, using: &simulation.random)
      crates.insertElement(Self.jars, row, at: position, makeJar(snapshot, text))
      if key == Self.kept { write.inserted.insert(text) }
      return
    }
    let position = Int.random(in: 0..<count, using: &simulation.random)
    guard case .link(_, let here) = crates.element(Self.jars, row, at: position) else { return }
    switch choice {
    case 3:
      write.removed.insert(jars.string(Self.name, here))
      crates.removeElements(Self.jars, row, position..<position + 1)
    case 4:
      write.removed.insert(jars.string(Self.name, here))
      jars.deleteRow(here)
    case 5:
      write.changed.insert(jars.string(Self.name, here))
      crates.moveElement(
        Self.jars, row, from: position, to: Int.random(in: 0..<count, using: &simulation.random))
    case 6:
      write.changed.insert(jars.string(Self.name, here))
      jars.appendElement(Self.tags, here, .string(simulation.text()))
    default:
      write.changed.insert(jars.string(Self.name, here))
      jars.setInteger(Self.count, here, Int64.random(in: 0...99, using: &simulation.random))
    }
  }

  func statement(_ simulation: Simulation) -> String? {
    let key = Int64.random(in: Self.keys, using: &simulation.random)
    let owner = Bool.random(using: &simulation.random) ? key : Self.kept
    switch Int.random(in: 0..<5, using: &simulation.random) {
    case 0: return "insert into app.\"Crate\" (id) values (\(key)) on conflict do nothing"
    case 1: return "delete from app.\"Crate\" where id = \(key)"
    case 2:
      return """
        insert into app."Crate.jars" (owner, value) select id, '{"t": "dictionary", "v": {"count": {"t": "int", "v": 7}}}'
          from app."Crate" where id = \(owner)
        """
    case 3:
      return
        "insert into app.\"Crate.jars\" (owner, value) select id, '5' from app.\"Crate\" where id = \(owner)"
    default:
      return """
        update app."Crate.jars" set value = jsonb_set(value, '{v,count}', '{"t": "int", "v": 8}')
          where owner = \(owner) and value <> '5'
        """
    }
  }

  // MARK: Rules

  func objects(of syncClass: SyncClass, in file: SimulatedFile) throws -> [ExactValue: [ExactValue]]? {
    syncClass.table == crate ? try file.keys(table: syncClass.table) : nil
  }

  func check(_ simulation: Simulation) throws {
    let lists = try lists(simulation)
    for file in simulation.files {
      try file.writer.advance()
      let (crates, jars) = (file.writer.table(crate), file.writer.table(jar))
      var (failure, shown): (String?, Int) = (nil, 0)
      crates.forEachRow { row in
        let key = crates.integer(0, row)
        let here = crates.elements(Self.jars, row).map { text($0, jars) }
        shown += here.count
        if here != lists[key] ?? [] { failure = "jars of \(key): \(here), the server \(lists[key] ?? [])" }
      }
      if file.writer.liveCount(table: jar) != shown { failure = "jars without a crate" }
      if let failure { throw simulation.fail("\(file.number) has \(failure)") }
    }
    // The SQL program inserts jars without names.
    let there = (lists[Self.kept] ?? []).map { String($0.prefix { $0 != "|" }) }.filter { !$0.isEmpty }
    try record.check(there, simulation)
  }

  private func text(_ jar: Value, _ jars: Table) -> String {
    guard case .link(_, let row) = jar else { return "no jar" }
    let tags = jars.elements(Self.tags, row).map { if case .string(let tag) = $0 { tag } else { "?" } }
    return "\(jars.string(Self.name, row))|\(jars.integer(Self.count, row))|\(tags.joined(separator: ","))"
  }

  /// The jars of each crate that files can read.
  private func lists(_ simulation: Simulation) throws -> [Int64: [String]] {
    var lists: [Int64: [String]] = [:]
    try simulation.outsider.copyOut(
      """
      copy (select owner, coalesce(value #>> '{v,name,v}', '') || '|' || (value #>> '{v,count,v}') || '|' || coalesce(
          (select string_agg(tag ->> 'v', ',' order by number) from
            jsonb_array_elements(value #> '{v,tags,v}') with ordinality t(tag, number)), '')
        from app."Crate.jars" where value <> '5' order by owner, _key, _el) to stdout (format binary)
      """, [.bigint, .text]
    ) {
      if case .int(let owner) = $0[0], case .string(let text) = $0[1] {
        lists[owner, default: []].append(text)
      }
    }
    return lists
  }
}
