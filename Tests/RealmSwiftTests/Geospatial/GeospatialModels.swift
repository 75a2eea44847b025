import RealmSwift

/// A point by the convention that geospatial queries ask for.
class GeoSite: EmbeddedObject {
  @Persisted var type = "Point"
  @Persisted var coordinates: List<Double>

  convenience init(_ latitude: Double, _ longitude: Double) {
    self.init()
    coordinates.append(objectsIn: [longitude, latitude])
  }
}

/// An embedded class that is no point: nothing tells its type.
class GeoMarker: EmbeddedObject {
  @Persisted var coordinates: List<Double>
}

class GeoShop: Object {
  @Persisted var name: String
  @Persisted var site: GeoSite?
  @Persisted var stores: List<GeoSite>
  @Persisted var depots: Map<String, GeoSite?>
  @Persisted var marker: GeoMarker?
  @Persisted var rival: GeoShop?

  convenience init(_ name: String, _ site: GeoSite? = nil) {
    self.init()
    self.name = name
    self.site = site
  }
}

class GeoChain: Object {
  @Persisted var shops: List<GeoShop>
}
