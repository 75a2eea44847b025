import QueryEngine

/// A part of the Earth's surface that a geospatial query can ask for: a `GeoBox`, `GeoPolygon` or `GeoCircle`.
public protocol RLMGeospatial: AnyObject, Sendable {}

/// A shape that the query engine knows: all of them.
protocol GeographicShape: RLMGeospatial {
  var region: GeographicRegion { get }
}
