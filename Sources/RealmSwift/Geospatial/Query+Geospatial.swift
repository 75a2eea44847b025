import QueryEngine

// Embedded objects that are points: with a property `type`, a `String` that is "Point", and a property `coordinates`, a
// `List<Double>` of longitude and latitude.

extension Query where T: OptionalProtocol, T.Wrapped: EmbeddedObject {
  /// Returns a condition that is true if the embedded object is a point in a box, polygon or circle.
  ///
  /// ```swift
  /// let near = huts.where { $0.place.geoWithin(GeoCircle(center: here, radius: .kilometers(50)!)) }
  /// ```
  ///
  /// Stops the program if the class has other properties than a point needs, or if the rings of the polygon
  /// cross or its holes are invalid.
  public func geoWithin(_ shape: some RLMGeospatial) -> Query<Bool> { within(shape) }
}

extension Query where T: EmbeddedObject {
  /// Returns a condition that is true if the embedded object is a point in a box, polygon or circle.
  public func geoWithin(_ shape: some RLMGeospatial) -> Query<Bool> { within(shape) }
}

extension Query where T: RealmCollection, T.Element: EmbeddedObject {
  /// Returns a condition that is true if any of the embedded objects is a point in a box, polygon or circle.
  public func geoWithin(_ shape: some RLMGeospatial) -> Query<Bool> { within(shape) }
}

extension Query {
  private func within(_ shape: some RLMGeospatial) -> Query<Bool> {
    comparing(.isIn, shape)
  }
}
