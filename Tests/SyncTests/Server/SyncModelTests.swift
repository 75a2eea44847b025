import Storage
import Sync
import Testing

/// What of a file's catalogue is synchronised, and what is refused.
@Suite struct SyncModelTests {
  private static let key = Column(name: "id", type: .int, isPrimaryKey: true)

  private static func catalogue(_ columns: Column..., indexes: [CompoundIndex] = []) -> Catalogue {
    Catalogue(tables: [TableDescription(name: "Dog", columns: columns, indexes: indexes)])
  }

  private static func refusal(
    _ catalogue: Catalogue, classes: [String]? = nil, counters: Set<PropertyName> = [],
    routing: Set<PropertyName> = []
  ) -> SyncRefusal? {
    do throws(SyncRefusal) {
      _ = try SyncModel.read(catalogue, classes: classes, counters: counters, routing: routing)
      return nil
    } catch { return error }
  }

  @Test func classesHaveTheirPropertiesWithNumbersFrom1() throws {
    var removed = Column(name: "old", type: .int)
    removed.isRemoved = true
    let catalogue = Self.catalogue(
      Column(name: "name", type: .string), removed, Self.key,
      Column(name: "born", type: .date, isNullable: true), Column(name: "likes", type: .int))
    let model = try SyncModel.read(
      catalogue, counters: [PropertyName("Dog", "likes")], routing: [PropertyName("Dog", "name")])
    let dog = try #require(model["Dog"])
    #expect(dog.key == SyncProperty(name: "id", column: 2, number: 0, type: .bigint))
    #expect(
      dog.properties == [
        SyncProperty(name: "name", column: 0, number: 1, type: .text, isRouting: true),
        SyncProperty(name: "born", column: 3, number: 2, type: .timestamp, isOptional: true),
        SyncProperty(name: "likes", column: 4, number: 3, type: .bigint, isCounter: true),
      ])
    #expect(dog.routing.map(\.name) == ["name"])
  }

  @Test func linksHaveTheTypeOfTheirTargetsKey() throws {
    let catalogue = Catalogue(tables: [
      TableDescription(
        name: "Dog",
        columns: [
          Self.key, Column(name: "owner", type: .link, target: 1),
          Column(name: "next", type: .link, target: 0),
          Column(name: "thing", type: .mixed),
        ]),
      TableDescription(name: "Person", columns: [Column(name: "id", type: .uuid, isPrimaryKey: true)]),
    ])
    #expect(
      try SyncModel.read(catalogue)["Dog"]?.properties == [
        SyncProperty(name: "owner", column: 1, number: 1, type: .uuid, isOptional: true, target: "Person"),
        SyncProperty(name: "next", column: 2, number: 2, type: .bigint, isOptional: true, target: "Dog"),
        SyncProperty(name: "thing", column: 3, number: 3, type: .jsonb, isOptional: true),
      ])
  }

  @Test func setsAndMapsHaveNumbersAmongTheProperties() throws {
    let catalogue = Self.catalogue(
      Self.key, Column(name: "name", type: .string),
      Column(name: "tags", type: .string, collection: .set, isNullable: true),
      Column(name: "scores", type: .int, collection: .map), Column(name: "age", type: .int))
    let dog = try #require(try SyncModel.read(catalogue)["Dog"])
    #expect(dog.properties.map(\.number) == [1, 4])
    #expect(
      dog.collections == [
        SyncCollection(name: "tags", column: 2, number: 2, kind: .set, element: .text, isOptional: true),
        SyncCollection(name: "scores", column: 3, number: 3, kind: .map, element: .bigint),
      ])
  }

  @Test func propertiesTakeTheNumbersOfTheServer() throws {
    let catalogue = Self.catalogue(
      Self.key, Column(name: "name", type: .string), Column(name: "age", type: .int),
      Column(name: "nick", type: .string))
    let dog = try #require(try SyncModel.read(catalogue)["Dog"]).numbered(by: ["age": 1, "name": 4, "x": 2])
    #expect(dog.properties.map(\.name) == ["age", "name"])
    #expect(dog.properties.map(\.number) == [1, 4])
  }

  @Test(arguments: [ValueType.int, .string, .objectId, .uuid]) func allTypesOfKeysAreRead(
    type: ValueType
  ) throws {
    let model = try SyncModel.read(Self.catalogue(Column(name: "_id", type: type, isPrimaryKey: true)))
    #expect(model["Dog"]?.key.type == ServerType(storing: type))
  }

  @Test func embeddedAndRemovedClassesAreLeftOut() throws {
    var catalogue = Self.catalogue(Self.key)
    catalogue.tables.append(TableDescription(name: "Address", isEmbedded: true))
    catalogue.tables.append(TableDescription(name: "Cat", isRemoved: true))
    #expect(try SyncModel.read(catalogue).classes.map(\.name) == ["Dog"])
  }

  @Test func classesThatAreNotNamedAreLeftOut() throws {
    var catalogue = Self.catalogue(Self.key)
    catalogue.tables.append(TableDescription(name: "Cat"))
    #expect(try SyncModel.read(catalogue, classes: ["Dog"]).classes.map(\.name) == ["Dog"])
    #expect(Self.refusal(catalogue)?.reasons.map(\.kind) == [.noPrimaryKey])
  }

  @Test func allReasonsAreToldTogether() {
    var unique = Column(name: "all", type: .int)
    unique.isUnique = true
    let refusal = Self.refusal(Self.catalogue(Column(name: "_rx", type: .int), unique))
    #expect(refusal?.reasons.map(\.kind) == [.reservedName, .unique, .noPrimaryKey])
    #expect(
      refusal?.description == """
        The name of the property 'Dog._rx' is reserved on the server: rename the property.
        The values of 'Dog.all' are unique, which files that are offline cannot guarantee: remove the rule.
        'Dog' has no primary key: add one, for example a UUID, or leave the class out.
        """)
  }

  /// Why decimals in sets of mixed values are rejected: no key of the server is equal for two values exactly when the values are.
  @Test func equalityOfMixedNumbersIsNotTransitive() throws {
    func decimal(_ text: String) throws -> Value { .decimal128(try #require(Fixed16(decimalText: text))) }
    let tenth = try decimal("0.1")
    #expect(Value.order(.float(0.1), tenth) == 0 && Value.order(tenth, .double(0.1)) == 0)
    #expect(Value.order(.float(0.1), .double(0.1)) != 0)
    let (whole, power) = (Value.int(1 << 60), Value.double(0x1p60))
    let rounded = try decimal("1152921504606847000")
    #expect(Value.order(whole, power) == 0 && Value.order(power, rounded) == 0)
    #expect(Value.order(whole, rounded) != 0)
  }

  struct Case: CustomTestStringConvertible {
    var kind: SyncRefusal.Kind
    var catalogue: Catalogue
    var classes: [String]?
    var counters: Set<PropertyName> = []
    var routing: Set<PropertyName> = []
    var testDescription: String { "\(kind)" }
  }

  private static func column(_ type: ValueType = .int, _ change: (inout Column) -> Void) -> Column {
    var column = Column(name: "a", type: type)
    change(&column)
    return column
  }

  static let cases: [Case] = [
    Case(kind: .noSuchClass, catalogue: catalogue(key), classes: ["Dog", "Cat"]),
    Case(kind: .noSuchProperty, catalogue: catalogue(key), counters: [PropertyName("Dog", "b")]),
    Case(kind: .noSuchProperty, catalogue: catalogue(key), routing: [PropertyName("Cat", "id")]),
    Case(kind: .noClasses, catalogue: Catalogue()),
    Case(kind: .noPrimaryKey, catalogue: catalogue(Column(name: "id", type: .int))),
    Case(
      kind: .compoundKey,
      catalogue: catalogue(
        Column(name: "a", type: .int), Column(name: "b", type: .int),
        indexes: [CompoundIndex(number: 0, kind: .primaryKey, columns: [0, 1])])),
    Case(
      kind: .optionalKey,
      catalogue: catalogue(Column(name: "id", type: .int, isNullable: true, isPrimaryKey: true))),
    Case(
      kind: .generatedKey,
      catalogue: catalogue(
        column {
          $0.isPrimaryKey = true
          $0.isSequence = true
        })),
    Case(
      kind: .link,
      catalogue: Catalogue(tables: [
        TableDescription(
          name: "Dog", columns: [key, Column(name: "a", type: .link, collection: .list, target: 1)]),
        TableDescription(name: "Person", columns: [key]),
      ]), classes: ["Dog"]),
    Case(
      kind: .nameTooLong,
      catalogue: catalogue(key, Column(name: String(repeating: "s", count: 54), type: .int, collection: .set))
    ),
    Case(
      kind: .clashingNames,
      catalogue: Catalogue(tables: [
        TableDescription(name: "Dog", columns: [key, Column(name: "a", type: .int, collection: .set)]),
        TableDescription(name: "Dog.a", columns: [key]),
      ])),
    Case(
      kind: .routing, catalogue: catalogue(key, Column(name: "a", type: .int, collection: .map)),
      routing: [PropertyName("Dog", "a")]),
    Case(
      kind: .link,
      catalogue: Catalogue(tables: [
        TableDescription(
          name: "Dog", columns: [key, Column(name: "a", type: .link, collection: .map, target: 1)]),
        TableDescription(name: "Person", columns: [key]),
      ]), classes: ["Dog"]),
    Case(
      kind: .link,
      catalogue: Catalogue(tables: [
        TableDescription(name: "Dog", columns: [key, Column(name: "a", type: .link, target: 1)]),
        TableDescription(name: "Person", columns: [key]),
      ]), classes: ["Dog"]),
    Case(
      kind: .embedded, catalogue: Catalogue(tables: [TableDescription(name: "Address", isEmbedded: true)]),
      classes: ["Address"]),
    Case(kind: .unique, catalogue: catalogue(key, column { $0.isUnique = true })),
    Case(
      kind: .unique,
      catalogue: catalogue(
        key, Column(name: "a", type: .int), Column(name: "b", type: .int),
        indexes: [CompoundIndex(number: 0, kind: .unique, columns: [1, 2])])),
    Case(kind: .generatedValue, catalogue: catalogue(key, column { $0.isSequence = true })),
    Case(
      kind: .nameTooLong,
      catalogue: catalogue(key, Column(name: String(repeating: "ä", count: 32), type: .int))),
    Case(
      kind: .nameTooLong,
      catalogue: Catalogue(tables: [
        TableDescription(name: String(repeating: "D", count: 58), columns: [key])
      ])),
    Case(kind: .reservedName, catalogue: catalogue(key, Column(name: "_op", type: .int))),
    Case(kind: .reservedName, catalogue: catalogue(key, Column(name: "xmin", type: .int))),
    Case(kind: .unusableName, catalogue: catalogue(key, Column(name: "a\0b", type: .int))),
    Case(
      kind: .clashingNames,
      catalogue: Catalogue(tables: [
        TableDescription(name: "Dog", columns: [key]), TableDescription(name: "Dog$gone", columns: [key]),
      ])),
    Case(
      kind: .counter, catalogue: catalogue(key, column(.double) { _ in }),
      counters: [PropertyName("Dog", "a")]),
    Case(
      kind: .counter, catalogue: catalogue(key, column { $0.isNullable = true }),
      counters: [PropertyName("Dog", "a")]),
    Case(kind: .counter, catalogue: catalogue(key), counters: [PropertyName("Dog", "id")]),
    Case(
      kind: .counter, catalogue: catalogue(key, column { _ in }), counters: [PropertyName("Dog", "a")],
      routing: [PropertyName("Dog", "a")]),
    Case(kind: .routing, catalogue: catalogue(key), routing: [PropertyName("Dog", "id")]),
  ]

  @Test(arguments: cases) func eachReasonIsToldAlone(given: Case) throws {
    let refusal = try #require(
      Self.refusal(given.catalogue, classes: given.classes, counters: given.counters, routing: given.routing))
    #expect(refusal.reasons.map(\.kind) == [given.kind], "\(refusal)")
  }

  @Test func deleteRulesAreRefused() {
    let refusal = Self.refusal(
      Self.catalogue(
        Self.key,
        Self.column(.link) {
          $0.target = 0
          $0.linkRule = .cascade
        }))
    #expect(refusal?.reasons.map(\.kind) == [.deleteRule])
  }

  @Test func theLongestNamesAreRead() throws {
    let name = String(repeating: "D", count: 57)
    let catalogue = Catalogue(tables: [
      TableDescription(
        name: name, columns: [Self.key, Column(name: String(repeating: "p", count: 63), type: .int)])
    ])
    #expect(try SyncModel.read(catalogue).classes.map(\.name) == [name])
  }

  @Test(arguments: ["Dog.likes", "Dog.a.b"]) func propertiesAreNamedWithTheirClass(text: String) {
    #expect(PropertyName(text)?.description == text)
    #expect(PropertyName(text)?.className == "Dog")
  }

  @Test(arguments: ["", "Dog", "Dog.", ".likes", "."]) func otherTextsNameNoProperty(text: String) {
    #expect(PropertyName(text) == nil)
  }
}
