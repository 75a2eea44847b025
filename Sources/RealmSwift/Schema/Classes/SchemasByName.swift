import Storage

/// Finds classes by their names; of those with the same name, the first.
struct SchemasByName: Sendable {
  private let schemas: [ClassSchema]
  private let places: NameTable

  init(_ schemas: [ClassSchema]) {
    self.schemas = schemas
    places = NameTable(schemas.map(\.className))
  }

  subscript(_ name: String) -> ClassSchema? { places[name].map { schemas[$0] } }
}
