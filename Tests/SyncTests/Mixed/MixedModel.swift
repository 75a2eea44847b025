import Storage
import Sync

/// Boxes with a list, a map and a set of mixed values, which link to toys.
enum MixedModel {
  static let catalogue = Catalogue(tables: tables(toyKey: .uuid))
  /// Tables, and columns of a box.
  static let (box, toy, things, labels, marks) = (0, 1, 1, 2, 3)

  static func make() throws -> SyncModel { try SyncModel.read(catalogue) }

  static func tables(toyKey: ValueType) -> [TableDescription] {
    [
      TableDescription(
        name: "Box",
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true),
          Column(name: "things", type: .mixed, collection: .list, isNullable: true),
          Column(name: "labels", type: .mixed, collection: .map, isNullable: true),
          Column(name: "marks", type: .mixed, collection: .set, isNullable: true),
        ]),
      TableDescription(name: "Toy", columns: [Column(name: "id", type: toyKey, isPrimaryKey: true)]),
    ]
  }
}
