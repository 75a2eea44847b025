import Storage
import Sync
import Testing

/// How embedded objects become properties of the classes that hold them.
@Suite struct EmbeddedModelTests {
  private static let key = Column(name: "id", type: .int, isPrimaryKey: true)

  private static func link(_ name: String, _ target: Int) -> Column {
    Column(name: name, type: .link, isNullable: true, target: target)
  }

  /// A class that holds objects of an embedded class by some columns.
  private static func catalogue(
    _ columns: [Column] = [link("address", 1)], _ embedded: Column..., others: [TableDescription] = []
  ) -> Catalogue {
    Catalogue(
      tables: [
        TableDescription(name: "Person", columns: [key] + columns),
        TableDescription(name: "Address", isEmbedded: true, columns: embedded),
      ] + others)
  }

  private static func refusal(
    _ catalogue: Catalogue, counters: Set<PropertyName> = [], routing: Set<PropertyName> = []
  ) -> SyncRefusal? {
    do throws(SyncRefusal) {
      _ = try SyncModel.read(catalogue, counters: counters, routing: routing)
      return nil
    } catch { return error }
  }

  @Test func propertiesOfEmbeddedObjectsAreColumnsOfTheirOwner() throws {
    let person = try #require(try SyncModel.read(EmbeddedModel.catalogue)["Person"])
    #expect(
      person.properties == [
        SyncProperty(name: "name", column: 1, number: 1, type: .text),
        SyncProperty(name: "address", column: 2, number: 2, type: .boolean, isPresence: true),
        SyncProperty(name: "address_city", column: 0, number: 3, type: .text, path: [2]),
        SyncProperty(
          name: "address_number", column: 1, number: 4, type: .bigint, isOptional: true, path: [2]),
        SyncProperty(
          name: "address_geo", column: 2, number: 5, type: .boolean, path: [2], isPresence: true),
        SyncProperty(name: "address_geo_lat", column: 0, number: 6, type: .double, path: [2, 2]),
      ])
  }

  @Test func anEmbeddedClassIsReadForEachPropertyThatHoldsIt() throws {
    let catalogue = Self.catalogue(
      [Self.link("home", 1), Self.link("work", 1)], Column(name: "city", type: .string))
    let person = try #require(
      try SyncModel.read(catalogue, routing: [PropertyName("Person", "work_city")])["Person"])
    #expect(person.properties.map(\.name) == ["home", "home_city", "work", "work_city"])
    #expect(person.properties.map(\.path) == [[], [1], [], [2]])
    #expect(person.routing.map(\.name) == ["work_city"])
  }

  @Test func propertiesThatNeedTheSameColumnAreRefused() throws {
    let catalogue = Self.catalogue(
      [Column(name: "address_city", type: .string), Self.link("address", 1)],
      Column(name: "city", type: .string))
    #expect(
      Self.refusal(catalogue)?.description
        == "'Person.address_city' and 'Person.address.city' both need the column 'address_city' on the server: "
        + "rename one.")
    let nested = Self.catalogue(
      [Self.link("a", 1), Self.link("a_b", 2)], Self.link("b", 2),
      others: [TableDescription(name: "Geo", isEmbedded: true, columns: [Column(name: "lat", type: .double)])]
    )
    #expect(Self.refusal(nested)?.reasons.map(\.kind) == [.clashingNames, .clashingNames])
  }

  @Test func namesThatAreTooLongTogetherAreRefused() throws {
    func catalogue(_ length: Int) -> Catalogue {
      Self.catalogue(
        [Self.link("address", 1)], Column(name: String(repeating: "c", count: length), type: .int))
    }
    #expect(Self.refusal(catalogue(55)) == nil)
    let refusal = try #require(Self.refusal(catalogue(56)))
    #expect(refusal.reasons.map(\.kind) == [.nameTooLong])
    #expect(refusal.description.contains("'Person.address.ccc"))
  }

  @Test func whatIsRefusedInAnEmbeddedClassIsToldOnce() {
    var unique = Column(name: "number", type: .int)
    unique.isUnique = true
    let catalogue = Self.catalogue([Self.link("home", 1), Self.link("work", 1)], unique)
    #expect(
      Self.refusal(catalogue)?.description
        == "The values of 'Address.number' are unique, which files that are offline cannot guarantee: remove the rule."
    )
  }

  @Test func countersInEmbeddedObjectsAreRefused() {
    let catalogue = Self.catalogue([Self.link("address", 1)], Column(name: "visits", type: .int))
    for name in [PropertyName("Address", "visits"), PropertyName("Person", "address_visits")] {
      #expect(Self.refusal(catalogue, counters: [name])?.reasons.map(\.kind) == [.counter])
    }
    #expect(
      Self.refusal(catalogue, routing: [PropertyName("Address", "visits")])?.reasons.map(\.kind) == [.routing]
    )
  }

  @Test(arguments: [CollectionType.list, .map])
  func embeddedObjectsInCollectionsAreDocuments(kind: CollectionType) throws {
    let column = Column(name: "homes", type: .link, collection: kind, isNullable: kind == .map, target: 1)
    let model = try SyncModel.read(Self.catalogue([Self.link("address", 1), column]))
    let collection = try #require(model["Person"]?.collections.first)
    #expect(collection.element == .jsonb && collection.documents == 1 && collection.target == nil)
    // An entry of a map can be there without an object.
    #expect(collection.isOptional == (kind == .map))
    // A single object may have what the objects of a collection may not.
    let link = Column(name: "owner", type: .link, isNullable: true, target: 0)
    let refusal = Self.refusal(Self.catalogue([Self.link("address", 1), column], link))
    #expect(refusal?.reasons.map(\.kind) == [.link])
  }

  @Test func aPropertyThatAnEmbeddedClassGetsLaterIsAColumnThatIsAdded() throws {
    let story = try EmbeddedStory(files: 1)
    try story.files[0].create(1, "Ada")
    try story.files[0].setAddress(1, "Turin")
    try story.exchange()
    var catalogue = EmbeddedModel.catalogue
    catalogue.tables[EmbeddedModel.address].columns.append(Column(name: "street", type: .string))
    let installed = try #require(try InstalledSchema.read(story.outsider))
    let addition = try SchemaAddition(SyncModel.read(catalogue), to: installed)
    #expect(addition.properties.map(\.property.name) == ["address_street"])
    for statement in addition.statements { try story.outsider.run(statement) }

    // A file with the new property, and one without it, change the same address.
    let other = try story.addFile(catalogue)
    try story.exchange()
    try other.edit(1) { $0.setString(3, $1, "Via Po") }
    try story.files[0].setNumber(1, 5)
    try story.exchange()
    #expect(try other.persons() == ["1 Ada: Turin 5"])
    #expect(
      try story.outsider.run("select address_street from app.\"Person\"").map { $0.text(0) } == ["Via Po"])
    // A new address of the old program has no street: it keeps what is there.
    try story.files[0].setAddress(1, "Rome")
    try story.exchange()
    try other.edit(1) { #expect($0.string(3, $1) == "Via Po") }
    #expect(try other.persons() == ["1 Ada: Rome"])
  }
}
