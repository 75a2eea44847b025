import Storage

/// The columns that make an embedded object a point of GeoJSON: a string that says so, and a list of longitude,
/// latitude and perhaps altitude. A point with null for one of the first two lies in no region.
package struct PointColumns: Sendable, Hashable {
  package var type: Int
  package var coordinates: Int

  /// What the type column holds for a point.
  static let pointType = "Point"

  /// nil when the table has no such columns.
  init?(_ table: TableDescription) {
    guard let type = table.column(named: "type"), let coordinates = table.column(named: "coordinates"),
      table.columns[type].collection == .none, table.columns[type].type == .string,
      table.columns[coordinates].collection == .list, table.columns[coordinates].type == .double
    else { return nil }
    self.type = type
    self.coordinates = coordinates
  }
}

extension ResolvedPath {
  /// The predicate that the point, or some or every point, at the end of the path lies in a region.
  ///
  /// - Throws: `PredicateError` when the path does not end at embedded points, or the region is none.
  func predicate(
    within region: GeographicRegion, isUniversal: Bool, catalogue: Catalogue
  ) throws -> Predicate {
    var path = self
    switch end {
    case .scalar(.column(let column, .link)): path.steps.append(.link(column: column, target: target))
    case .elements(let column, .values(.link)):
      path.steps.append(.links(.collection(column: column, target: target)))
    case .backlinks(let table, let column):
      path.steps.append(.links(.backlinks(table: table, column: column)))
    case .scalar(.row): break
    default:
      throw PredicateError.invalidPredicate(
        "The left hand side of 'geoWithin' must be a link to geoJSON formatted data. But the provided type is '\(type.name)'"
      )
    }
    let pointTable = catalogue.tables[target]
    guard pointTable.isEmbedded else {
      throw PredicateError.invalidPredicate(
        "A GEOWITHIN query can only operate on a link to an embedded class but '\(pointTable.name)' is at the top level"
      )
    }
    guard let columns = PointColumns(pointTable) else { throw PredicateError.wrongPointFormat(text, region) }
    let isWithin = Predicate.within(columns, try SphericalRegion(region))
    if isUniversal { return .not(path.behindSteps(.not(isWithin), whenNull: false)) }
    return path.behindSteps(isWithin, whenNull: false)
  }
}

extension PredicateError {
  static func wrongPointFormat(_ path: String, _ region: GeographicRegion) -> PredicateError {
    .invalidPredicate(
      "Query '\(path) GEOWITHIN \(region)' links to data in the wrong format for a geoWithin query")
  }
}
