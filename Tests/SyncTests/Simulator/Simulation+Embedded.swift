import Storage
import Sync

/// Persons with addresses, in which there may be places on the map.
final class EmbeddedKind: SimulatedKind {
  private var person = 0
  private var address: Int { person + 1 }
  private var place: Int { person + 2 }
  /// What was ever written to the city of the person whose address nobody removes, with its stamp.
  private var cities = FileWrites<(stamp: UInt64, city: String)>()

  private static let kept: Int64 = 100

  func tables(first: Int) -> [TableDescription] {
    person = first
    return [
      TableDescription(
        name: "Person",
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true), Column(name: "name", type: .string),
          Column(name: "home", type: .link, isNullable: true, target: first + 1),
          Column(name: "work", type: .link, isNullable: true, target: first + 1),
        ]),
      TableDescription(
        name: "Address", isEmbedded: true,
        columns: [
          Column(name: "city", type: .string, isIndexed: true),
          Column(name: "number", type: .int, isNullable: true),
          Column(name: "place", type: .link, isNullable: true, target: first + 2),
        ]),
      TableDescription(
        name: "Place", isEmbedded: true,
        columns: [Column(name: "latitude", type: .double), Column(name: "height", type: .int)]),
    ]
  }

  var constraints: String { "alter table app.\"Person\" add check (home_number < 1000)" }

  var preparation: String {
    "insert into app.\"Person\" (id, name, home, home_city) values (\(Self.kept), 'kept', true, 'begin')"
  }

  // MARK: Work

  func work(_ file: SimulatedFile, _ simulation: Simulation) throws {
    if Int.random(in: 0..<5, using: &simulation.random) == 0 { return try writeCity(file, simulation) }
    let count = Int.random(in: 1...3, using: &simulation.random)
    try file.write { snapshot in
      for _ in 0..<count { workOnPerson(file, snapshot, simulation) }
    }
  }

  private func writeCity(_ file: SimulatedFile, _ simulation: Simulation) throws {
    try file.writer.advance()
    guard file.row(person, .int(Self.kept)) != nil else { return }
    let city = simulation.text()
    let stamp = try file.write { snapshot in
      let row = file.row(person, .int(Self.kept))!
      snapshot.table(address).setString(0, snapshot.table(person).link(2, row)!, city)
    }
    cities.note((stamp, city), in: file)
  }

  private func workOnPerson(_ file: SimulatedFile, _ snapshot: Snapshot, _ simulation: Simulation) {
    let table = snapshot.table(person)
    let key = Int64.random(in: 1...8, using: &simulation.random)
    guard let row = file.row(person, .int(key)) else {
      let row = table.insertRow()
      table.setInteger(0, row, key)
      table.setString(1, row, simulation.text())
      for column in 2...3 { table.setLink(column, row, nil) }
      if Bool.random(using: &simulation.random) { setAddress(2, row, snapshot, simulation) }
      return
    }
    let column = Int.random(in: 2...3, using: &simulation.random)
    switch Int.random(in: 0..<10, using: &simulation.random) {
    case 0: table.deleteRow(row)
    case 1: table.setString(1, row, simulation.text())
    case 2: table.setLink(column, row, nil)
    case 3, 4: setAddress(column, row, snapshot, simulation)
    default:
      guard let found = table.link(column, row) else {
        return setAddress(column, row, snapshot, simulation)
      }
      edit(found, snapshot, simulation)
    }
  }

  private func setAddress(_ column: Int, _ row: Int, _ snapshot: Snapshot, _ simulation: Simulation) {
    let addresses = snapshot.table(address)
    let new = addresses.insertRow()
    addresses.setString(0, new, simulation.text())
    addresses.setNull(1, new)
    addresses.setLink(2, new, nil)
    snapshot.table(person).setLink(column, row, new)
    if Bool.random(using: &simulation.random) { setPlace(new, snapshot, simulation) }
  }

  private func setPlace(_ row: Int, _ snapshot: Snapshot, _ simulation: Simulation) {
    let places = snapshot.table(place)
    let new = places.insertRow()
    places.setDouble(0, new, .random(in: -90...90, using: &simulation.random))
    places.setInteger(1, new, 1)
    snapshot.table(address).setLink(2, row, new)
  }

  private func edit(_ row: Int, _ snapshot: Snapshot, _ simulation: Simulation) {
    let addresses = snapshot.table(address)
    switch Int.random(in: 0..<8, using: &simulation.random) {
    case 0: addresses.deleteRow(row)
    case 1:
      let isWild = Int.random(in: 0..<8, using: &simulation.random) == 0
      addresses.setInteger(1, row, isWild ? 5000 : .random(in: 0..<100, using: &simulation.random))
    case 2: addresses.setNull(1, row)
    case 3: addresses.setLink(2, row, nil)
    case 4: setPlace(row, snapshot, simulation)
    case 5:
      guard let found = addresses.link(2, row) else { return setPlace(row, snapshot, simulation) }
      snapshot.table(place).setInteger(1, found, .random(in: 0..<100, using: &simulation.random))
    default: addresses.setString(0, row, simulation.text())
    }
  }

  func statement(_ simulation: Simulation) -> String? {
    let key = Int.random(in: 1...8, using: &simulation.random)
    let flag = Bool.random(using: &simulation.random)
    let change =
      switch Int.random(in: 0..<5, using: &simulation.random) {
      case 0: "home = \(flag)"
      case 1: "work = \(flag), work_city = '\(simulation.text())'"
      case 2: "home_city = '\(simulation.text())'"
      case 3: "work_place = \(flag)"
      default: "home = true, home_place = true, home_place_height = \(key)"
      }
    return "update app.\"Person\" set \(change) where id = \(key)"
  }

  // MARK: Rules

  func forget(_ file: SimulatedFile, after version: UInt64) { cities.forget(file, after: version) }

  func noteRestore(_ file: SimulatedFile, to version: UInt64, sent: UInt64) {
    cities.noteRestore(file, to: version, sent: sent)
  }

  func noteCopy(_ copy: SimulatedFile, of original: SimulatedFile) { cities.noteCopy(copy, of: original) }

  func objects(of syncClass: SyncClass, in file: SimulatedFile) throws -> [ExactValue: [ExactValue]]? {
    guard syncClass.table == person else { return nil }
    try file.writer.advance()
    let persons = file.writer.table(person)
    var objects: [ExactValue: [ExactValue]] = [:]
    for row in 0..<persons.rowLimit where persons.isAlive(row) {
      objects[ExactValue(persons.value(0, row))] = syncClass.properties.map {
        ExactValue(value(of: $0, row, file.writer))
      }
    }
    return objects
  }

  /// The value of a property, and null where there is no object that has it.
  private func value(of property: SyncProperty, _ row: Int, _ snapshot: Snapshot) -> Value {
    var (table, row) = (person, row)
    for column in property.path {
      guard let next = snapshot.table(table).link(column, row) else { return .null }
      row = next
      table = table == person ? address : place
    }
    return property.isPresence
      ? .bool(snapshot.table(table).link(property.column, row) != nil)
      : snapshot.table(table).value(property.column, row)
  }

  func visible(
    _ objects: [ExactValue: [ExactValue]], of syncClass: SyncClass
  ) -> [ExactValue: [ExactValue]] {
    guard syncClass.table == person else { return objects }
    return objects.mapValues { values in
      var hidden: [[Int]] = []
      return zip(syncClass.properties, values).map { property, value in
        if hidden.contains(where: { property.path.starts(with: $0) }) { return ExactValue(.null) }
        if property.isPresence, value == ExactValue(.bool(false)) {
          hidden.append(property.path + [property.column])
        }
        return value
      }
    }
  }

  func check(_ simulation: Simulation) throws {
    for file in simulation.files { try checkOwners(file, simulation) }
    let written = cities.all.map { write in
      (stamp: write.corrected(write.content.stamp, simulation), city: write.content.city)
    }
    guard let last = written.max(by: { $0.stamp < $1.stamp }) else { return }
    let winners = written.filter { $0.stamp == last.stamp }.map { ExactValue(.string($0.city)) }
    let persons = try simulation.serverObjects(simulation.model["Person"]!)
    let index = simulation.model["Person"]!.properties.firstIndex { $0.name == "home_city" }!
    guard let city = persons[ExactValue(.int(Self.kept))]?[index], winners.contains(city) else {
      throw simulation.fail("the city is not what was written last: \(last)")
    }
  }

  /// Each embedded object belongs to an object.
  private func checkOwners(_ file: SimulatedFile, _ simulation: Simulation) throws {
    let snapshot = file.writer!
    let (persons, addresses) = (snapshot.table(person), snapshot.table(address))
    let found = (0..<persons.rowLimit).filter { persons.isAlive($0) }.flatMap { row in
      [2, 3].compactMap { persons.link($0, row) }
    }
    let places = found.compactMap { addresses.link(2, $0) }
    let counts = [address, place].map { snapshot.liveCount(table: $0) }
    if counts != [found.count, places.count] {
      throw simulation.fail(
        "\(file.number) has \(counts) embedded objects, not \([found.count, places.count])")
    }
  }
}
