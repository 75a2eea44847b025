import Storage
import Sync

/// A class with lists of values and of links.
enum ListedModel {
  static let catalogue = Catalogue(
    tables: [
      TableDescription(
        name: "Person",
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true),
          Column(name: "notes", type: .string, collection: .list),
          Column(name: "dogs", type: .link, collection: .list, target: 1),
          Column(name: "numbers", type: .int, collection: .list, isNullable: true),
          Column(name: "dates", type: .date, collection: .list),
        ]),
      TableDescription(name: "Dog", columns: [Column(name: "name", type: .string, isPrimaryKey: true)]),
    ])
  static let (person, dog) = (0, 1)
  static let (notes, dogs, numbers, dates) = (1, 2, 3, 4)

  static func make() throws -> SyncModel { try SyncModel.read(catalogue) }
}

/// A database for the classes.
final class ListedServer: ModelServer {
  init() throws { try super.init(ListedModel.make()) }

  /// The values of a list, in their order.
  func list(_ name: String, of key: Int64 = 1) throws -> [String] {
    try rows("select value::text from app.\"Person.\(name)\" where owner = \(key) order by _key, _el")
  }
}

/// A file with the classes, and its client.
final class ListedFile: ClientFile {
  /// - Parameters:
  ///   - copied: The file of which this one is a copy; nil for a new file.
  ///   - skew: Milliseconds that the clock of the machine is wrong.
  ///   - prepare: Writes before the file is synchronised.
  init(
    _ server: ListedServer, copyOf copied: ListedFile? = nil, skew: Int64 = 0,
    prepare: (Snapshot) -> Void = { _ in }
  ) throws {
    let time = { SyncClock.systemMilliseconds() + skew }
    try super.init(
      ListedModel.catalogue, ListedModel.make(), settings: server.settings, clock: time, time: time,
      copyOf: copied.map { .open($0.file) },
      prepare: prepare)
  }

  /// Runs a transaction that changes persons.
  func edit(_ body: (_ people: Table) throws -> Void) throws {
    try write { try body($0.table(ListedModel.person)) }
  }

  func row(_ key: Int64 = 1) -> Int { row(ListedModel.person, .int(key))! }

  func dog(_ name: String) -> Int? { row(ListedModel.dog, .string(name)) }

  /// Creates a dog unless it is there, in the write transaction that is open, and returns a link to it.
  func link(_ name: String) -> Value {
    .link(table: ListedModel.dog, row: dog(name) ?? create(ListedModel.dog, .string(name)))
  }

  /// Creates a person with notes, in the write transaction that is open.
  func create(_ key: Int64 = 1, notes: [String] = []) {
    let row = create(ListedModel.person, .int(key))
    writer.table(ListedModel.person).insertElements(ListedModel.notes, row, at: 0, notes.map { .string($0) })
  }

  /// The values of a list, in their order; of links, the names of the dogs.
  func list(_ column: Int, of key: Int64 = 1) throws -> [String] {
    try writer.advance()
    return writer.table(ListedModel.person).elements(column, row(key)).map { value in
      switch value {
      case .string(let text): text
      case .int(let number): String(number)
      case .date(let seconds): String(seconds)
      case .link(let table, let row): writer.table(table).string(0, row)
      default: "-"
      }
    }
  }
}
