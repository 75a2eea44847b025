import RealmSwift

/// Questions about the imported cities: results are live, lazy, and never copied out of the file as a whole.
struct QuerySteps {
  let realm: Realm
  let report: Report

  func run() throws {
    report.heading("Query")
    largestCities()
    populationByContinent()
    lookups()
    filters()
    aggregates()
  }

  private func largestCities() {
    let cities = realm.objects(City.self).sorted(byKeyPath: "population", ascending: false)
    report.step("the largest cities") {
      "\(grouped(cities.count)) sorted; the first five are"
    }
    for city in cities.prefix(5) {
      report.detail("\(grouped(city.population))  \(city.name), \(city.country?.name ?? "nowhere")")
    }
    report.expect(cities.first?.name == "Shanghai", "Shanghai is the largest city")
  }

  private func populationByContinent() {
    let cities = realm.objects(City.self)
    var total = 0
    var sums: [(Continent, Int)] = []
    report.step("people in cities, by continent") {
      for continent in Continent.allCases {
        let people = cities.where { $0.country.continent == continent }.sum(of: \.population)
        sums.append((continent, people))
        total += people
      }
      return "\(grouped(total)) in all"
    }
    for (continent, people) in sums.sorted(by: { $0.1 > $1.1 }) {
      report.detail("\(continent.title): \(grouped(people))")
    }
    report.expect(total == 3_932_182_704, "3,932,182,704 people in all cities")
    report.expect(total == cities.sum(of: \.population), "the continents add up to the whole")
  }

  private func lookups() {
    report.step("a city by its primary key") {
      let city = realm.object(ofType: City.self, forPrimaryKey: 2_657_896)
      report.expect(city?.name == "Zürich", "city 2657896 is Zürich")
      guard let city, let place = city.coordinates else { return "none" }
      return "\(city.name), \(place.latitude)° north, \(place.longitude)° east, \(city.timezone)"
    }
    report.step("from a city to its country to its neighbours") {
      let switzerland = realm.objects(City.self).where { $0.name == "Bern" }.first?.country
      let neighbours = switzerland?.neighbours.map(\.name).sorted() ?? []
      report.expect(neighbours.count == 5, "Switzerland has five neighbours")
      return neighbours.joined(separator: ", ")
    }
    report.step("back again: the cities of a country") {
      guard let iceland = realm.object(ofType: Country.self, forPrimaryKey: "IS") else { return "none" }
      let cities = iceland.cities.sorted(byKeyPath: "population", ascending: false)
      report.expect(cities.first?.name == "Reykjavík", "Reykjavík is Iceland's largest city")
      return "\(iceland.name): " + cities.map(\.name).joined(separator: ", ")
    }
  }

  private func filters() {
    let cities = realm.objects(City.self)
    report.step("where { $0.population > 5_000_000 && … }") {
      let found = cities.where { $0.population > 5_000_000 && $0.country.code == "JP" }
      report.expect(found.count == 1, "one city of Japan has more than five million people")
      return found.map(\.name).joined(separator: ", ")
    }
    report.step("filter(\"population > %@ AND name BEGINSWITH …\")") {
      let found = cities.filter("population > %@ AND name BEGINSWITH %@", 2_000_000, "San")
      let names = found.sorted(byKeyPath: "name").map(\.name)
      return names.joined(separator: ", ")
    }
    report.step("filter(\"name CONTAINS 'burg' AND NOT …\")") {
      let found = cities.filter(
        "name CONTAINS 'burg' AND NOT (population < 800000 OR timezone == 'Europe/Berlin')")
      return found.sorted(byKeyPath: "name").map(\.name).joined(separator: ", ")
    }
    report.step("where { $0.coordinates.geoWithin(…) }") {
      guard let distance = Distance.kilometers(50),
        let circle = GeoCircle(center: (47.366_67, 8.55), radius: distance)
      else { return "none" }
      let near = cities.where { $0.coordinates.geoWithin(circle) && $0.population > 50_000 }
      report.expect(near.contains { $0.name == "Winterthur" }, "Winterthur is near Zürich")
      let names = near.sorted(byKeyPath: "population", ascending: false).map(\.name)
      return "50 km around Zürich: " + names.joined(separator: ", ")
    }
    report.step("where { $0.name.starts(with: …) }, case folded") {
      let found = cities.where { $0.name.starts(with: "são ", options: .caseInsensitive) }
      return "\(found.count) cities, the largest is "
        + (found.sorted(byKeyPath: "population", ascending: false).first?.name ?? "none")
    }
  }

  private func aggregates() {
    let cities = realm.objects(City.self)
    report.step("minimum, average, maximum of a property") {
      let smallest: Int? = cities.min(ofProperty: "population")
      let average: Double? = cities.average(ofProperty: "population")
      let largest = cities.max(of: \.population)
      report.expect(largest == 24_874_500, "the largest city has 24,874,500 people")
      return "\(grouped(smallest ?? -1)) … \(grouped(Int(average ?? -1))) … \(grouped(largest ?? -1))"
    }
    report.step("value(forKey:) over a collection") {
      let zones = Set(cities.value(forKey: "timezone") as? [String] ?? [])
      report.expect(zones.count == 356, "the cities lie in 356 time zones")
      return "\(zones.count) different time zones"
    }
  }
}
