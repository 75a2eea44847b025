// Tables before format 10.
extension FileBuilder {
  struct OldColumn {
    var name = "p"
    var type: Int64
    var attributes: Int64 = 0
    /// The roots: its own, and that of its index if it has one.
    var roots: [Int]
  }

  mutating func oldTable(
    _ columns: [OldColumn], extras: [Int] = [], enumerations: [Int] = [], slots: Int = 2
  ) -> Int {
    let types = integers(columns.map(\.type))
    let names = strings(columns.map(\.name))
    let attributes = integers(columns.map(\.attributes))
    let spec = references([
      types, names, attributes, extras.isEmpty ? 0 : references(extras),
      enumerations.isEmpty ? 0 : references(enumerations),
    ])
    let roots = references(columns.flatMap(\.roots))
    return references([spec, roots] + Array(repeating: 0, count: slots - 2))
  }

  /// A file of format 9 with columns of most types.
  static func oldFile() -> [UInt8] {
    var builder = FileBuilder()
    builder.format = 9
    let nullable: Int64 = 16
    let seconds = builder.integers([9, 1, 9, 4])
    let dates = builder.references([seconds, builder.integers([0, 0, 7])])
    let first = builder.integers([1, 2])
    let second = builder.integers([3])
    let tree = builder.references([number(2), first, second, number(3)], .inner)
    let blobs = ["a", "b", "c"].map { builder.blob(Array($0.utf8) + [0]) }
    let links = builder.references([builder.integers([2, 0, 1]), 0, builder.integers([1])])
    let values = builder.references([builder.references([builder.strings(["x", "y"])]), 0, 0])
    let spec = builder.references([
      builder.integers([2]), builder.strings(["!ARRAY_VALUE"]), builder.integers([0]),
    ])
    let ends = builder.integers([1, 2, 3])
    let flags = builder.node([], width: 1, count: 3, [0b011])
    let medium = builder.references([ends, builder.blob([0, 0, 0]), flags])
    let columns = [
      OldColumn(name: "tree", type: 0, attributes: 1, roots: [tree, builder.integers([0])]),
      OldColumn(name: "maybe", type: 0, attributes: nullable, roots: [builder.integers([5, 5, 1, 2])]),
      OldColumn(name: "flag", type: 1, attributes: nullable, roots: [builder.integers([7, 0, 7, 1])]),
      OldColumn(name: "date", type: 8, attributes: nullable, roots: [dates]),
      OldColumn(name: "day", type: 7, roots: [builder.integers([1, 2, 3])]),
      OldColumn(name: "big", type: 2, roots: [builder.references(blobs, .context)]),
      OldColumn(name: "medium", type: 2, attributes: nullable, roots: [medium]),
      OldColumn(name: "color", type: 3, roots: [builder.integers([1, 0, 1])]),
      OldColumn(name: "one", type: 12, roots: [builder.integers([0, 2, 3])]),
      OldColumn(name: "links", type: 13, roots: [links]),
      OldColumn(name: "values", type: 5, roots: [values]),
    ]
    let colors = builder.strings(["red", "blue"])
    let table = builder.oldTable(
      columns, extras: [number(0), number(0), spec], enumerations: [colors])
    return builder.file([("class_A", table)])
  }
}
