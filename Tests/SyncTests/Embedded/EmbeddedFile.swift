import Storage
import Sync

/// A person with an address, in which there is a place on the map.
enum EmbeddedModel {
  static let person = 0
  static let address = 1
  static let geo = 2

  static let catalogue = Catalogue(tables: [
    TableDescription(
      name: "Person",
      columns: [
        Column(name: "id", type: .int, isPrimaryKey: true), Column(name: "name", type: .string),
        Column(name: "address", type: .link, isNullable: true, target: address),
      ]),
    TableDescription(
      name: "Address", isEmbedded: true,
      columns: [
        Column(name: "city", type: .string, isIndexed: true),
        Column(name: "number", type: .int, isNullable: true),
        Column(name: "geo", type: .link, isNullable: true, target: geo),
      ]),
    TableDescription(name: "Geo", isEmbedded: true, columns: [Column(name: "lat", type: .double)]),
  ])
}

/// A clock that goes forward by 10 ms with each reading, behind the server's.
final class StoryClock {
  private var now = SyncClock.systemMilliseconds() - 30_000

  func next() -> Int64 {
    now += 10
    return now
  }
}

/// A server and files, whose transactions have stamps in the order in which a test writes them.
final class EmbeddedStory: ModelServer {
  private let clock = StoryClock()
  private(set) var files: [EmbeddedFile] = []

  init(files count: Int = 2) throws {
    try super.init(SyncModel.read(EmbeddedModel.catalogue))
    for _ in 0..<count { try addFile(EmbeddedModel.catalogue) }
  }

  /// Makes another file.
  @discardableResult
  func addFile(_ catalogue: Catalogue) throws -> EmbeddedFile {
    let file = try EmbeddedFile(catalogue, settings, clock)
    files.append(file)
    return file
  }

  /// Lets everything arrive everywhere.
  func exchange() throws {
    for _ in 0..<2 {
      for file in files { try file.transfer() }
    }
  }

  /// What the columns of the server have: the name, and those of the address.
  func rows() throws -> [String] {
    try rows(
      """
      select name, address, address_city, address_number, address_geo, address_geo_lat from app."Person" order by id
      """)
  }

  /// Lets everything arrive, and returns what all files have then.
  func persons() throws -> [String] {
    try exchange()
    let persons = try files.map { try $0.persons() }
    for (number, found) in persons.enumerated() where found != persons[0] {
      return persons[0] + ["but file \(number) has"] + found
    }
    return persons[0]
  }
}

/// A file with the classes, whose client is always connected.
final class EmbeddedFile: ClientFile {
  init(_ catalogue: Catalogue, _ settings: PostgresSettings, _ clock: StoryClock) throws {
    try super.init(catalogue, SyncModel.read(catalogue), settings: settings, clock: clock.next)
    try connect()
  }

  override func restart() throws {
    try super.restart()
    try connect()
  }

  /// Creates a person without an address.
  func create(_ key: Int64, _ name: String) throws {
    try write { snapshot in
      let table = snapshot.table(EmbeddedModel.person)
      let row = create(EmbeddedModel.person, .int(key))
      table.setString(1, row, name)
      table.setLink(2, row, nil)
    }
  }

  func person(_ key: Int64) -> Int { row(EmbeddedModel.person, .int(key))! }

  /// Gives a person a new address, with a place if a latitude is given.
  func setAddress(_ key: Int64, _ city: String?, number: Int64? = nil, latitude: Double? = nil) throws {
    try write { $0.setAddress(person(key), city, number: number, latitude: latitude) }
  }

  /// Changes the address that a person has.
  func edit(_ key: Int64, _ body: (_ addresses: Table, _ row: Int) -> Void) throws {
    try write { snapshot in
      let row = snapshot.table(EmbeddedModel.person).link(2, person(key))!
      body(snapshot.table(EmbeddedModel.address), row)
    }
  }

  func setCity(_ key: Int64, _ city: String) throws { try edit(key) { $0.setString(0, $1, city) } }

  func setNumber(_ key: Int64, _ number: Int64) throws { try edit(key) { $0.setInteger(1, $1, number) } }

  /// The persons: key, name, and the address with its place.
  func persons() throws -> [String] {
    try writer.advance()
    let (people, addresses, places) = (writer.table(0), writer.table(1), writer.table(2))
    let counts = [1, 2].map { writer.liveCount(table: $0) }
    var found: [(key: Int64, text: String)] = []
    var links = [0, 0]
    for row in 0..<people.rowLimit where people.isAlive(row) {
      var text = "\(people.integer(0, row)) \(people.string(1, row))"
      if let address = people.link(2, row) {
        links[0] += 1
        text += ": \(addresses.string(0, address))"
        if !addresses.isNull(1, address) { text += " \(addresses.integer(1, address))" }
        if let place = addresses.link(2, address) {
          links[1] += 1
          text += " at \(places.double(0, place))"
        }
      }
      found.append((people.integer(0, row), text))
    }
    // Each embedded object has an owner.
    return found.sorted { $0.key < $1.key }.map(\.text) + (counts == links ? [] : ["orphans"])
  }
}

extension Snapshot {
  /// Gives a row of a person a new address, or none.
  func setAddress(_ person: Int, _ city: String?, number: Int64? = nil, latitude: Double? = nil) {
    let people = table(EmbeddedModel.person)
    guard let city else { return people.setLink(2, person, nil) }
    let addresses = table(EmbeddedModel.address)
    let address = addresses.insertRow()
    addresses.setString(0, address, city)
    addresses.setValue(1, address, number.map { .int($0) } ?? .null)
    addresses.setLink(2, address, nil)
    people.setLink(2, person, address)
    if let latitude { setPlace(address, latitude) }
  }

  /// Gives a row of an address a new place.
  func setPlace(_ address: Int, _ latitude: Double) {
    let places = table(EmbeddedModel.geo)
    let place = places.insertRow()
    places.setDouble(0, place, latitude)
    table(EmbeddedModel.address).setLink(2, address, place)
  }
}
