import RealmSwift

extension WritableStudio {
  static let types: [(name: String, type: PropertyType)] = [
    ("int", .int), ("bool", .bool), ("string", .string), ("data", .data), ("date", .date), ("float", .float),
    ("double", .double), ("objectId", .objectId), ("decimal128", .decimal128), ("uuid", .UUID),
  ]

  /// A class with properties of every type, and classes with every rule.
  static let classes: [DescribedClass] = {
    var everything = [DescribedProperty("key", .string, primaryKey: true)]
    for (name, type) in types {
      everything += [
        DescribedProperty(name, type), DescribedProperty("\(name)Optional", type, optional: true),
        DescribedProperty("\(name)List", type, in: .list), DescribedProperty("\(name)Set", type, in: .set),
        DescribedProperty("\(name)Map", type, in: .map, optional: true),
      ]
    }
    everything += [
      DescribedProperty("any", .any), DescribedProperty("anyList", .any, in: .list),
      DescribedProperty("anySet", .any, in: .set), DescribedProperty("anyMap", .any, in: .map),
      DescribedProperty("person", .object, of: "Person"),
      DescribedProperty("people", .object, of: "Person", in: .list),
      DescribedProperty("group", .object, of: "Person", in: .set),
      DescribedProperty("roles", .object, of: "Person", in: .map),
      DescribedProperty("address", .object, of: "Address"),
      DescribedProperty("addresses", .object, of: "Address", in: .list),
      DescribedProperty("places", .object, of: "Address", in: .map),
    ]
    return [
      DescribedClass("Everything", everything),
      DescribedClass(
        "Person",
        [
          DescribedProperty("id", .int, primaryKey: true), DescribedProperty("name", .string, indexed: true),
          DescribedProperty("email", .string, optional: true, unique: true),
          DescribedProperty("about", .string, optional: true, fullText: true),
          DescribedProperty("friend", .object, of: "Person"),
        ]),
      DescribedClass(
        "Address", embedded: true,
        [
          DescribedProperty("street", .string), DescribedProperty("tenant", .object, of: "Person"),
          DescribedProperty("inner", .object, of: "Room"),
        ]),
      DescribedClass("Room", embedded: true, [DescribedProperty("number", .int)]),
      DescribedClass(
        "Team",
        [
          DescribedProperty("id", .int, primaryKey: true),
          DescribedProperty("members", .object, of: "Person", in: .list, onDelete: .cascade),
          DescribedProperty("reserve", .object, of: "Person", onDelete: .cascadeUnlessShared),
          DescribedProperty("captain", .object, of: "Person", onDelete: .deny),
        ]),
      DescribedClass(
        "Ticket",
        [
          DescribedProperty("number", .int, primaryKey: true, autoIncrement: true),
          DescribedProperty("title", .string),
        ]),
      DescribedClass(
        "Order",
        [
          DescribedProperty("customer", .string), DescribedProperty("number", .int),
          DescribedProperty("seat", .int, optional: true), DescribedProperty("hall", .int, optional: true),
        ],
        indexes: [Index(.primaryKey, ["customer", "number"]), Index(.unique, ["hall", "seat"])]),
    ]
  }()

  /// Creates people with the numbers from 1 to a count. Returns their rows.
  func makePeople(_ count: Int) async throws -> [Int] {
    let (id, name) = (try await property("id", of: "Person"), try await property("name", of: "Person"))
    let operations = (1...count).map {
      "{\"op\":\"create\",\"class\":\"Person\",\"values\":[[\(id),\($0)],[\(name),\"P\($0)\"]]}"
    }
    let answer = try await batch(operations.joined(separator: ","))
    return (0..<count).map { answer.row($0) }
  }

  /// Creates an object of the class with all types. Returns its row.
  func makeEverything(_ key: String = "a") async throws -> Int {
    let number = try await property("key")
    return try await batch(
      "{\"op\":\"create\",\"class\":\"Everything\",\"values\":[[\(number),\"\(key)\"]]}"
    ).row()
  }
}
