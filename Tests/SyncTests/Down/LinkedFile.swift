import Storage
import Sync

/// Classes with links to each other, with keys of every type, and a mixed value.
enum LinkedModel {
  static let catalogue = Catalogue(
    tables: [
      TableDescription(
        name: "Person",
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true), Column(name: "name", type: .string),
          Column(name: "dog", type: .link, isNullable: true, target: dog),
          Column(name: "friend", type: .link, isNullable: true, target: person),
          Column(name: "tag", type: .link, isNullable: true, target: tag),
          Column(name: "badge", type: .link, isNullable: true, target: badge),
          Column(name: "place", type: .link, isNullable: true, target: place),
          Column(name: "thing", type: .mixed, isNullable: true),
          Column(name: "collar", type: .link, isNullable: true, target: collar),
        ]),
      TableDescription(
        name: "Dog",
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true), Column(name: "age", type: .int),
          Column(name: "owner", type: .link, isNullable: true, target: person),
        ]),
      TableDescription(name: "Tag", columns: [Column(name: "name", type: .string, isPrimaryKey: true)]),
      TableDescription(name: "Badge", columns: [Column(name: "id", type: .uuid, isPrimaryKey: true)]),
      TableDescription(name: "Place", columns: [Column(name: "id", type: .objectId, isPrimaryKey: true)]),
      TableDescription(
        name: "Collar", isEmbedded: true,
        columns: [
          Column(name: "dog", type: .link, isNullable: true, target: dog),
          Column(name: "thing", type: .mixed, isNullable: true),
        ]),
    ])
  static let (person, dog, tag, badge, place, collar) = (0, 1, 2, 3, 4, 5)
  static let targets = [2: dog, 3: person, 4: tag, 5: badge, 6: place]
  /// Columns of `Person`.
  static let (name, dogLink, friend, thing, collarLink) = (1, 2, 3, 7, 8)

  static func make() throws -> SyncModel { try SyncModel.read(catalogue) }
}

/// A database for the classes.
final class LinkedServer: ModelServer {
  init() throws { try super.init(LinkedModel.make()) }
}

/// A file with the classes, and its client.
final class LinkedFile: ClientFile {
  init(_ server: LinkedServer) throws {
    try super.init(LinkedModel.catalogue, LinkedModel.make(), settings: server.settings)
  }

  func createPerson(_ key: Int64, dog: Int64? = nil) {
    let row = create(LinkedModel.person, .int(key))
    if let dog { link(row, LinkedModel.dogLink, .int(dog)) }
  }

  /// Links a person to the object with a key, or to nothing.
  func link(_ row: Int, _ column: Int, _ key: Value?) {
    let target = LinkedModel.targets[column]!
    writer.table(LinkedModel.person).setLink(column, row, key.map { self.row(target, $0)! })
  }

  /// The key of the object that a person links to; nil if it links to none.
  func linked(_ person: Int64, _ column: Int = LinkedModel.dogLink) throws -> Value? {
    try writer.advance()
    guard let row = row(LinkedModel.person, .int(person)),
      case .link(let table, let target) = writer.table(LinkedModel.person).value(column, row)
    else { return nil }
    return writer.table(table).value(0, target)
  }

  /// The mixed value of a person.
  func thing(_ person: Int64) throws -> Value? {
    try writer.advance()
    return row(LinkedModel.person, .int(person)).map {
      writer.table(LinkedModel.person).value(LinkedModel.thing, $0)
    }
  }
}
