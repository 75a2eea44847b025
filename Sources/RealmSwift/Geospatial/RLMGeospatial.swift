import QueryEngine

/// An area of the Earth's surface for geospatial queries: a `GeoBox`, `GeoPolygon` or `GeoCircle`.
public protocol RLMGeospatial: AnyObject, Sendable {}

/// A shape that the query engine knows: all of them.
protocol GeographicShape: RLMGeospatial {
  var region: GeographicRegion { get }
}
