import Storage
import Sync

/// Keepers with pets, with a keeper who comes next, and with a mixed value that may link to several objects.
final class LinkKind: SimulatedKind {
  private var keeper = 0
  private var pet: Int { keeper + 1 }
  /// Columns of keepers.
  private static let (name, petLink, next, thing) = (1, 2, 3, 4)
  private static let keys: ClosedRange<Int64> = 1...6

  func tables(first: Int) -> [TableDescription] {
    keeper = first
    return [
      TableDescription(
        name: "Keeper",
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true), Column(name: "name", type: .string),
          Column(name: "pet", type: .link, isNullable: true, target: first + 1),
          Column(name: "next", type: .link, isNullable: true, target: first),
          Column(name: "thing", type: .mixed, isNullable: true),
        ]),
      TableDescription(
        name: "Pet",
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true), Column(name: "size", type: .int),
          Column(name: "keeper", type: .link, isNullable: true, target: first),
        ]),
    ]
  }

  var constraints: String { "alter table app.\"Pet\" add check (size < 1000)" }

  // MARK: Work

  func work(_ file: SimulatedFile, _ simulation: Simulation) throws {
    let count = Int.random(in: 1...3, using: &simulation.random)
    try file.write { snapshot in
      for _ in 0..<count {
        if Bool.random(using: &simulation.random) {
          workOnKeeper(file, snapshot, simulation)
        } else {
          workOnPet(file, snapshot, simulation)
        }
      }
    }
  }

  private func workOnKeeper(_ file: SimulatedFile, _ snapshot: Snapshot, _ simulation: Simulation) {
    let table = snapshot.table(keeper)
    let key = Int64.random(in: Self.keys, using: &simulation.random)
    guard let row = file.row(keeper, .int(key)) else {
      let row = table.insertRow()
      table.setInteger(0, row, key)
      table.setString(Self.name, row, simulation.text())
      table.setLink(Self.petLink, row, randomRow(pet, file, simulation))
      table.setLink(Self.next, row, Bool.random(using: &simulation.random) ? row : nil)
      return
    }
    switch Int.random(in: 0..<9, using: &simulation.random) {
    case 0: table.deleteRow(row)
    case 1: table.setString(Self.name, row, simulation.text())
    case 2, 3: table.setLink(Self.next, row, randomRow(keeper, file, simulation))
    case 4, 5: table.setMixed(Self.thing, row, randomThing(file, simulation))
    default: table.setLink(Self.petLink, row, randomRow(pet, file, simulation))
    }
  }

  private func workOnPet(_ file: SimulatedFile, _ snapshot: Snapshot, _ simulation: Simulation) {
    let table = snapshot.table(pet)
    let key = Int64.random(in: Self.keys, using: &simulation.random)
    let isWild = Int.random(in: 0..<8, using: &simulation.random) == 0
    guard let row = file.row(pet, .int(key)) else {
      let row = table.insertRow()
      table.setInteger(0, row, key)
      table.setInteger(1, row, isWild ? 5000 : 1)
      table.setLink(2, row, randomRow(keeper, file, simulation))
      return
    }
    switch Int.random(in: 0..<6, using: &simulation.random) {
    case 0, 1: table.deleteRow(row)
    case 2:
      table.deleteRow(row)
      let row = table.insertRow()
      table.setInteger(0, row, key)
      table.setInteger(1, row, 2)
    case 3: table.setInteger(1, row, isWild ? 2000 : Int64.random(in: 0..<100, using: &simulation.random))
    default: table.setLink(2, row, randomRow(keeper, file, simulation))
    }
  }

  /// Returns a row of a table; nil in some cases, and if there is none.
  private func randomRow(_ table: Int, _ file: SimulatedFile, _ simulation: Simulation) -> Int? {
    if Int.random(in: 0..<5, using: &simulation.random) == 0 { return nil }
    return file.row(table, .int(Int64.random(in: Self.keys, using: &simulation.random)))
  }

  private func randomThing(_ file: SimulatedFile, _ simulation: Simulation) -> Value {
    func link() -> Value {
      let table = Bool.random(using: &simulation.random) ? keeper : pet
      return randomRow(table, file, simulation).map { .link(table: table, row: $0) } ?? .null
    }
    switch Int.random(in: 0..<5, using: &simulation.random) {
    case 0: return .string(simulation.text())
    case 1: return .double(Double.random(in: -1...1, using: &simulation.random))
    case 2: return .list([link(), .dictionary([.init(key: "a", value: link())]), .int(1)])
    default: return link()
    }
  }

  func statement(_ simulation: Simulation) -> String? {
    let key = Int64.random(in: Self.keys, using: &simulation.random)
    let other = Int64.random(in: Self.keys, using: &simulation.random)
    // Also to what is not there.
    switch Int.random(in: 0..<7, using: &simulation.random) {
    case 0: return "insert into app.\"Pet\" (id, keeper) values (\(key), \(other)) on conflict do nothing"
    case 1: return "delete from app.\"Pet\" where id = \(key)"
    case 2: return "insert into app.\"Keeper\" (id, pet) values (\(key), \(other)) on conflict do nothing"
    case 3: return "delete from app.\"Keeper\" where id = \(key)"
    case 4:
      let link = "{\"t\": \"link\", \"v\": \(other), \"class\": \"Pet\"}"
      return
        "update app.\"Keeper\" set thing = '{\"t\": \"list\", \"v\": [\(link), \(link)]}' where id = \(key)"
    case 5: return "update app.\"Pet\" set keeper = null where id = \(key)"
    default: return "update app.\"Keeper\" set pet = \(other), next = \(key) where id = \(key)"
    }
  }

  // MARK: Rules

  /// The objects with keys in the place of links, also of those whose targets are not there.
  func objects(of syncClass: SyncClass, in file: SimulatedFile) throws -> [ExactValue: [ExactValue]]? {
    guard syncClass.table == keeper || syncClass.table == pet,
      let localClass = try localClasses(file).first(where: { $0.table == syncClass.table })
    else { return nil }
    let rows = file.writer.table(syncClass.table)
    var objects: [ExactValue: [ExactValue]] = [:]
    for row in 0..<rows.rowLimit where rows.isAlive(row) {
      objects[ExactValue(rows.value(0, row))] = localClass.properties.map {
        ExactValue(localClass.value(of: $0, row: row, in: file.writer))
      }
    }
    return objects
  }

  private func localClasses(_ file: SimulatedFile) throws -> [LocalClass] {
    try file.writer.advance()
    return try SyncModel.read(file.writer.catalogue, classes: ["Keeper", "Pet"]).localClasses
  }

  /// A link is null only where its target is missing.
  func check(_ simulation: Simulation) throws {
    for file in simulation.files {
      for localClass in try localClasses(file) {
        let rows = file.writer.table(localClass.table)
        for row in 0..<rows.rowLimit where rows.isAlive(row) {
          for property in localClass.properties where !property.targets.isEmpty {
            let keys = keys(localClass.value(of: property, row: row, in: file.writer), property)
            let wanted = keys.filter { file.row($0.table, $0.key) != nil }.count
            var found = 0
            rows.value(property.column, row).forEachLink { _, _ in found += 1 }
            if found != wanted {
              throw simulation.fail(
                "\(file.number) has \(found) of \(wanted) links of \(localClass.name) \(rows.value(0, row))")
            }
          }
        }
      }
    }
  }

  /// The objects that a value of the server links to.
  private func keys(_ value: Value, _ property: LocalProperty) -> [(table: Int, key: Value)] {
    if property.type != .jsonb {
      return value.isNull ? [] : [(property.targets[0].table, value)]
    }
    if let linked = value.linkedObject {
      return [(linked.className == "Pet" ? pet : keeper, linked.key)]
    }
    switch value {
    case .list(let elements): return elements.flatMap { keys($0, property) }
    case .dictionary(let entries): return entries.flatMap { keys($0.value, property) }
    default: return []
    }
  }
}
