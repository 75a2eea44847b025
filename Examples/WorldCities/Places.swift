import RealmSwift

/// The GeoNames numbers of the cities that the tour passes through.
enum Place: Int {
  case kyoto = 1_857_910
  case lima = 3_936_456
  case london = 2_643_743
  case quanzhou = 1_797_353
  case samarkand = 1_216_265
  case saintJohns = 6_324_733
  case tangier = 2_530_335
  case timbuktu = 2_449_067
  case venice = 3_164_603
}

extension Realm {
  /// The imported city. Stops the program when the import did not bring it.
  func city(_ place: Place) -> City {
    guard let city = object(ofType: City.self, forPrimaryKey: place.rawValue) else {
      fatalError("\(place) is not among the imported cities")
    }
    return city
  }

  func traveller(_ id: Int) -> Traveller {
    guard let traveller = object(ofType: Traveller.self, forPrimaryKey: id) else {
      fatalError("there is no traveller \(id)")
    }
    return traveller
  }
}
