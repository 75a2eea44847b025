import Storage
import Testing

@testable import QueryEngine

struct RegionQueryTests {
  private static let tables = [
    TableDescription(
      name: "Place",
      columns: [
        Column(name: "name", type: .string),
        Column(name: "point", type: .link, isNullable: true, target: 1),
        Column(name: "stops", type: .link, collection: .list, target: 1),
        Column(name: "exits", type: .link, collection: .map, isNullable: true, target: 1),
        Column(name: "owner", type: .link, isNullable: true, target: 2),
        Column(name: "unordered", type: .link, isNullable: true, target: 3),
        Column(name: "untyped", type: .link, isNullable: true, target: 4),
        Column(name: "loose", type: .link, isNullable: true, target: 5),
      ]),
    TableDescription(
      name: "Point", isEmbedded: true,
      columns: [
        Column(name: "type", type: .string),
        Column(name: "coordinates", type: .double, collection: .list),
      ]),
    TableDescription(
      name: "Owner",
      columns: [
        Column(name: "home", type: .link, isNullable: true, target: 0),
        Column(name: "places", type: .link, collection: .list, target: 0),
      ]),
    TableDescription(
      name: "Unordered", isEmbedded: true,
      columns: [
        Column(name: "type", type: .string),
        Column(name: "coordinates", type: .double, collection: .set),
      ]),
    TableDescription(
      name: "Untyped", isEmbedded: true,
      columns: [
        Column(name: "type", type: .int),
        Column(name: "coordinates", type: .double, collection: .list),
      ]),
    TableDescription(
      name: "Loose", isEmbedded: true,
      columns: [
        Column(name: "type", type: .string),
        Column(name: "coordinates", type: .double, collection: .list, isNullable: true),
      ]),
  ]

  private let database: TestDatabase
  private let center = Argument.region(.circle(center: GeographicPoint(0, 0), radius: 0.1))

  init() throws { database = try TestDatabase(Self.tables) }

  private func point(_ coordinates: Double..., type: String = "Point") -> Value {
    let row = database.insert(
      1, ["type": .string(type), "coordinates": .list(coordinates.map(Value.double))])
    return .link(table: 1, row: row)
  }

  private func fill() {
    database.insert(0, ["point": point(0, 0)])  // 0
    database.insert(0, ["point": point(1, 2, 300)])  // 1
    database.insert(0, ["point": point(50, 0)])  // 2
    database.insert(0, [:])  // 3: no point
    database.insert(0, ["point": point(0, 0, type: "point")])  // 4: no point by its type
    database.insert(0, ["point": point(0)])  // 5: no latitude
    database.insert(0, ["point": point()])  // 6
    database.insert(0, ["point": point(0, 91)])  // 7: beyond the pole
    database.insert(0, ["point": point(.nan, 0)])  // 8
    database.insert(0, ["point": point(2, 50)])  // 9: would match with the latitude first
  }

  @Test func pointsInARegion() throws {
    fill()
    #expect(try database.rows("point IN %@", center) == [0, 1])
    let box = Argument.region(.box(southWest: GeographicPoint(-1, 40), northEast: GeographicPoint(1, 60)))
    #expect(try database.rows("point IN %@", box) == [2])
    let polygon = Argument.region(.polygon([closed([(45, 0), (45, 5), (55, 5), (55, 0)])]))
    #expect(try database.rows("point IN %@", polygon) == [9])
    #expect(try database.rows("point IN %@ OR point IN %@", box, polygon) == [2, 9])
    try database.commit()
    #expect(try database.rows("point IN %@", center) == [0, 1])
  }

  /// Null is not taken for zero.
  @Test func pointsWhoseCoordinatesMayHoldNull() throws {
    let coordinates: [[Value]] = [
      [.double(1), .double(2)], [.null, .double(2)], [.double(1), .null], [.double(1), .double(2), .null],
      [.null, .null], [],
    ]
    for values in coordinates {
      let row = database.insert(5, ["type": .string("Point"), "coordinates": .list(values)])
      database.insert(0, ["loose": .link(table: 5, row: row)])
    }
    #expect(try database.rows("loose IN %@", center) == [0, 3])
    #expect(try database.rows("NOT loose IN %@", center) == [1, 2, 4, 5])
    try database.commit()
    #expect(try database.rows("loose IN %@", center) == [0, 3])
  }

  @Test func negation() throws {
    fill()
    #expect(try database.rows("NOT point IN %@", center) == [2, 3, 4, 5, 6, 7, 8, 9])
    #expect(try database.rows("!(NOT point IN %@)", center) == [0, 1])
    #expect(try database.rows("point != NIL AND NOT point IN %@", center) == [2, 4, 5, 6, 7, 8, 9])
  }

  @Test func throughLinks() throws {
    fill()
    func place(_ row: Int) -> Value { .link(table: 0, row: row) }
    database.insert(2, ["home": place(1)])
    database.insert(2, ["home": place(2), "places": .list([place(2), place(0)])])
    database.insert(2, ["home": .null, "places": .list([place(2), place(9)])])
    #expect(try database.rows("home.point IN %@", center, table: 2) == [0])
    #expect(try database.rows("NOT home.point IN %@", center, table: 2) == [1, 2])
    #expect(try database.rows("ANY places.point IN %@", center, table: 2) == [1])
    #expect(try database.rows("NONE places.point IN %@", center, table: 2) == [0, 2])
    #expect(try database.rows("SUBQUERY(places, $x, $x.point IN %@).@count == 1", center, table: 2) == [1])
    database.lookup = { table, name in
      table == 0 && name == "owners"
        ? .backlinks(table: 2, column: 1)
        : Self.tables[table].column(named: name).map(PropertyReference.column)
    }
    #expect(try database.rows("ANY owners.home.point IN %@", center) == [])
    let far = Argument.region(.circle(center: GeographicPoint(0, 50), radius: 0.1))
    #expect(try database.rows("ANY owners.home.point IN %@", far) == [0, 2])
  }

  @Test func collectionsOfPoints() throws {
    database.insert(0, ["stops": .list([point(30, 0), point(1, 1)])])
    database.insert(0, ["stops": .list([point(30, 0)])])
    database.insert(0, [:])
    database.insert(
      0, ["exits": .dictionary([.init(key: "a", value: .null), .init(key: "b", value: point(1, 1))])])
    #expect(try database.rows("ANY stops IN %@", center) == [0])
    #expect(try database.rows("NONE stops IN %@", center) == [1, 2, 3])
    #expect(try database.rows("NOT (ANY stops IN %@)", center) == [1, 2, 3])
    #expect(try database.rows("ANY exits.@allValues IN %@", center) == [3])
    #expect(try database.rows("SUBQUERY(stops, $x, NOT $x IN %@).@count > 0", center) == [0, 1])
  }

  @Test func manyChunks() throws {
    for row in 0..<3_000 {
      database.insert(0, ["point": point(Double(row % 360) - 180, Double(row % 170) - 85)])
    }
    let expected = (0..<3_000).filter { row in
      GeographicPoint(Double(row % 170) - 85, Double(row % 360) - 180)
        .distance(to: GeographicPoint(0, 0)) <= 0.3
    }
    let region = Argument.region(.circle(center: GeographicPoint(0, 0), radius: 0.3))
    #expect(expected.count > 10)
    #expect(try database.rows("point IN %@", region) == expected)
    try database.commit()
    #expect(try database.rows("point IN %@", region) == expected)
  }

  // MARK: Errors

  private func message(_ format: String, _ arguments: Argument...) -> String? {
    do {
      let expression = try PredicateExpression(format: format, arguments: arguments)
      _ = try resolve(expression, table: 0, catalogue: database.snapshot.catalogue)
      return nil
    } catch { return "\(error)" }
  }

  @Test func wrongPlacesForARegion() {
    let circle = Argument.region(
      .circle(center: GeographicPoint(latitude: 0, longitude: 0, altitude: 0), radius: 10))
    #expect(
      message("owner IN %@", circle)
        == "A GEOWITHIN query can only operate on a link to an embedded class but 'Owner' is at the top level"
    )
    for name in ["unordered", "untyped"] {
      #expect(
        message("\(name) IN %@", circle)
          == "Query '\(name) GEOWITHIN GeoCircle([0, 0, 0], 10)' links to data in the wrong format for a geoWithin query"
      )
    }
    #expect(
      message("name IN %@", circle)
        == "The left hand side of 'geoWithin' must be a link to geoJSON formatted data. But the provided type is 'string'"
    )
    #expect(
      message("stops IN %@", circle)
        == "Key paths that include a collection property must use aggregate operations")
    #expect(
      message("ANY point IN %@", circle)
        == "Aggregate operations can only be used on key paths that include an collection property")
    #expect(
      message("point == %@", circle)
        == "Cannot compare value 'GeoCircle([0, 0, 0], 10)' to property 'point' of type 'object'")
    #expect(message("%@ IN stops", circle) != nil)
  }

  @Test func anInvalidPolygon() {
    let region = GeographicRegion.polygon([closed([(0, 0), (1, 1), (0, 1), (1, 0)])])
    #expect(
      message("point IN %@", .region(region))
        == "Invalid region in GEOWITHIN query for parameter 'GeoPolygon({[0, 0], [1, 1], [1, 0], [0, 1], [0, 0]})': 'Ring 0 is not valid: 'Edges 0 and 2 cross. Edge locations in degrees: [0.0000000, 0.0000000]-[1.0000000, 1.0000000] and [0.0000000, 1.0000000]-[1.0000000, 0.0000000]''"
    )
  }

  // MARK: In memory

  private struct MemoryPlace: PredicateObject {
    var point: PredicateSubject = .value(.null)
    var stops: [PredicateSubject] = []
    var predicateClassName: String { "MemoryPlace" }
    var predicateLink: Value? { nil }

    func predicateSubject(ofProperty name: String) -> PredicateSubject? {
      switch name {
      case "point": point
      case "stops": .elements(stops)
      default: nil
      }
    }
  }

  private struct MemoryPoint: PredicateObject {
    var type: PredicateSubject = .value(.string("Point"))
    var coordinates: [Double]
    var predicateClassName: String { "MemoryPoint" }
    var predicateLink: Value? { nil }

    func predicateSubject(ofProperty name: String) -> PredicateSubject? {
      switch name {
      case "type": type
      case "coordinates": .elements(coordinates.map { .value(.double($0)) })
      default: nil
      }
    }
  }

  @Test func inMemory() throws {
    func matches(_ format: String, _ place: MemoryPlace) throws -> Bool {
      try PredicateExpression(format: format, arguments: [center]).matches(.object(place))
    }
    let here = PredicateSubject.object(MemoryPoint(coordinates: [1, 2]))
    let there = PredicateSubject.object(MemoryPoint(coordinates: [50, 2]))
    #expect(try matches("point IN %@", MemoryPlace(point: here)))
    #expect(try !matches("point IN %@", MemoryPlace(point: there)))
    #expect(try !matches("point IN %@", MemoryPlace()))
    #expect(try matches("NOT point IN %@", MemoryPlace()))
    let typed = MemoryPoint(type: .value(.string("Polygon")), coordinates: [1, 2])
    #expect(try !matches("point IN %@", MemoryPlace(point: .object(typed))))
    #expect(try !matches("point IN %@", MemoryPlace(point: .object(MemoryPoint(coordinates: [1])))))
    #expect(try matches("ANY stops IN %@", MemoryPlace(stops: [there, here])))
    #expect(try matches("NONE stops IN %@", MemoryPlace(stops: [there])))
    #expect(throws: PredicateError.self) { try matches("stops IN %@", MemoryPlace(stops: [here])) }
    #expect {
      try matches("point IN %@", MemoryPlace(point: .object(MemoryPlace())))
    } throws: {
      "\($0)"
        == "Query 'point GEOWITHIN GeoCircle([0, 0], 0.1)' links to data in the wrong format for a geoWithin query"
    }
  }
}
