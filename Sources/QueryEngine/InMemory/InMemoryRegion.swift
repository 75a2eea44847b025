import Storage

extension InMemoryComparison {
  /// Whether a point, or some point, on the left side lies in a region.
  func evaluate(within region: GeographicRegion) throws -> Bool {
    guard case .keyPath(let path) = comparison.left else {
      throw PredicateError(
        "Invalid predicate expressions",
        "Predicate expressions must compare a keypath and another keypath or a constant value")
    }
    let found = try InMemoryPath(path, from: subject)
    if found.isToMany && comparison.modifier == nil {
      throw PredicateError.invalidPredicate(
        "Key paths that include a collection property must use aggregate operations")
    }
    let area = try SphericalRegion(region)
    return try satisfies(found.subjects) { subject in
      switch subject {
      case .value(.null): return false
      case .object(let object):
        guard let type = object.predicateSubject(ofProperty: "type"),
          case .elements(let coordinates)? = object.predicateSubject(ofProperty: "coordinates")
        else { throw PredicateError.wrongPointFormat("\(path)", region) }
        guard case .value(.string(PointColumns.pointType)) = type, coordinates.count >= 2,
          case .value(.double(let longitude)) = coordinates[0],
          case .value(.double(let latitude)) = coordinates[1]
        else { return false }
        return area.contains(latitude: latitude, longitude: longitude)
      default: throw PredicateError.wrongPointFormat("\(path)", region)
      }
    }
  }
}
