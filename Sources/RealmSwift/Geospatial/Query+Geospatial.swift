import QueryEngine

// Embedded objects that are points: with a property `type`, a `String` that is "Point", and a property `coordinates`, a
// `List<Double>` of longitude and latitude.

extension Query where T: OptionalProtocol, T.Wrapped: EmbeddedObject {
  /// Whether the embedded object is a point in a box, polygon or circle.
  ///
  ///     let near = kennels.where { $0.place.geoWithin(GeoCircle(center: here, radius: .kilometers(50)!)) }
  ///
  /// Stops the program when the class has other properties than a point needs, or the polygon's rings cross or are no
  /// holes.
  public func geoWithin(_ shape: some RLMGeospatial) -> Query<Bool> { within(shape) }
}

extension Query where T: EmbeddedObject {
  /// Whether the embedded object is a point in a box, polygon or circle.
  public func geoWithin(_ shape: some RLMGeospatial) -> Query<Bool> { within(shape) }
}

extension Query where T: RealmCollection, T.Element: EmbeddedObject {
  /// Whether some of the embedded objects is a point in a box, polygon or circle.
  public func geoWithin(_ shape: some RLMGeospatial) -> Query<Bool> { within(shape) }
}

extension Query {
  private func within(_ shape: some RLMGeospatial) -> Query<Bool> {
    comparing(.isIn, shape)
  }
}
