import Dispatch
import Storage
import Sync
import Synchronization
import TestSupport
import Testing

/// What is added to a server later, and what is refused.
@Suite struct SchemaAdditionTests {
  private static func model(_ columns: Column..., others: [TableDescription] = []) throws -> SyncModel {
    try SyncModel.read(
      Catalogue(
        tables: [
          TableDescription(
            name: "Dog", columns: [Column(name: "id", type: .int, isPrimaryKey: true)] + columns)
        ] + others))
  }

  private static func refusal(_ model: SyncModel, _ installed: InstalledSchema) -> SyncRefusal? {
    do throws(SyncRefusal) {
      _ = try SchemaAddition(model, to: installed)
      return nil
    } catch { return error }
  }

  @Test func whatIsInstalledIsReadAgain() throws {
    let kennel = try Kennel()
    let installed = try #require(try InstalledSchema.read(kennel.connection))
    #expect(installed.schema == "app" && installed.classes == ["Dog": 1])
    var expected = Kennel.dog
    expected.table = -1
    expected.key.column = -1
    for index in expected.properties.indices { expected.properties[index].column = -1 }
    #expect(installed.serverClass("Dog") == expected)
    #expect(installed.serverClass("Cat") == nil)
  }

  @Test func databasesWithoutSyncHaveNothingInstalled() throws {
    let connection = try PostgresServer.shared().connectToNewDatabase()
    #expect(try InstalledSchema.read(connection) == nil)
  }

  @Test func nothingIsAddedTwice() throws {
    let kennel = try Kennel()
    let model = try Self.model(Column(name: "name", type: .string), Column(name: "nick", type: .string))
    for isFirst in [true, false] {
      let addition = try SchemaAddition(model, to: #require(try InstalledSchema.read(kennel.connection)))
      #expect(addition.isEmpty == !isFirst)
      for statement in addition.statements { try kennel.connection.run(statement) }
    }
  }

  @Test func aConnectionKeepsItsInputUntilTheClassGetsAProperty() throws {
    let kennel = try Kennel()
    func input() throws -> [String] { try kennel.rows("select 'pg_temp.\"Dog$in\"'::regclass::oid") }
    try kennel.push(.created(1, at: 10, name: "a"))
    let first = try input()
    kennel.forgetInputs()
    try kennel.push(.created(2, at: 10, name: "b"))
    #expect(try input() == first)
    let model = try Self.model(Column(name: "nick", type: .string))
    let addition = try SchemaAddition(model, to: #require(try InstalledSchema.read(kennel.connection)))
    for statement in addition.statements { try kennel.connection.run(statement) }
    kennel.forgetInputs()
    try kennel.push(.created(3, at: 10, name: "c"))
    #expect(try input() != first)
    #expect(try kennel.rows("select id, name from app.\"Dog\" order by id") == ["1 a", "2 b", "3 c"])
  }

  @Test func propertiesAndClassesAreAddedBesideTheObjectsThatAreThere() throws {
    let kennel = try Kennel()
    try kennel.push(.created(1, at: 10, name: "a"))
    // A file that does not know all properties of the server, and has a new one.
    let model = try Self.model(
      Column(name: "nick", type: .string), Column(name: "born", type: .date, isNullable: true),
      others: [
        TableDescription(name: "Toy", columns: [Column(name: "id", type: .uuid, isPrimaryKey: true)])
      ])
    let addition = try SchemaAddition(model, to: #require(try InstalledSchema.read(kennel.connection)))
    #expect(addition.properties.map(\.property.name) == ["nick", "born"])
    #expect(addition.properties.map(\.property.number) == [5, 6])
    #expect(addition.classes.map(\.name) == ["Toy"])
    for statement in addition.statements { try kennel.connection.run(statement) }
    #expect(try kennel.rows("select schema_epoch from realm.server") == ["3"])
    #expect(try kennel.rows("select name, number from realm.class order by number") == ["Dog 1", "Toy 2"])
    #expect(try kennel.rows("select app.\"Dog$stage\"()") == ["6"])

    // A program that does not know the new properties, and one that does.
    try kennel.push(.edited(1, name: ("b", 20)))
    let known = "_op, id, nick, _at, _st"
    try kennel.push(Input(columns: known, values: "'u', 1, 'n', null, '{null,null,null,null,20}'"))
    try kennel.push(.created(1, at: 30, name: "c", stamps: "'{null,null,null,null,0,0}'"))
    #expect(
      try kennel.rows("select name, nick, born, _st from app.\"Dog\"")
        == ["c n - {30,30,NULL,30,20,10}"])
    try kennel.connection.runScript("update app.\"Dog\" set nick = 'm'")
    #expect(try kennel.rows("select nick, _st[5] > 1000 from app.\"Dog\"") == ["m t"])
    try kennel.connection.runScript("insert into app.\"Toy\" (id) values (gen_random_uuid())")
  }

  @Test func collectionsAreAddedBesideTheObjectsThatAreThere() throws {
    let kennel = try Kennel()
    try kennel.push(.created(1, at: 10, name: "a"))
    var dog = Kennel.dog
    dog.collections = [
      SyncCollection(name: "toys", column: 5, number: 5, kind: .list, element: .text),
      SyncCollection(name: "friends", column: 6, number: 6, kind: .set, element: .bigint, target: "Dog"),
    ]
    for isFirst in [true, false] {
      let addition = try SchemaAddition(
        SyncModel(classes: [dog]), to: #require(try InstalledSchema.read(kennel.connection)))
      #expect(addition.collections.map(\.collection.number) == (isFirst ? [5, 6] : []))
      #expect(addition.isEmpty == !isFirst)
      for statement in addition.statements { try kennel.connection.run(statement) }
    }
    let installed = try #require(try InstalledSchema.read(kennel.connection)).serverClass("Dog")
    #expect(installed?.collections.map(\.name) == ["toys", "friends"])
    #expect(installed?.collections.map(\.kind) == [.list, .set])
    #expect(installed?.collections.map(\.target) == [nil, "Dog"])
    // A property after them has a number behind theirs.
    dog.properties.append(SyncProperty(name: "nick", column: 7, number: 7, type: .text))
    let addition = try SchemaAddition(
      SyncModel(classes: [dog]), to: #require(try InstalledSchema.read(kennel.connection)))
    #expect(addition.properties.map(\.property.number) == [7])
    for statement in addition.statements { try kennel.connection.run(statement) }
    kennel.forgetInputs()
    try kennel.push(.edited(1, name: ("b", 20)))
    #expect(try kennel.rows("select name, _st from app.\"Dog\"") == ["b {20,NULL,NULL,NULL,NULL,NULL,NULL}"])

    dog.collections[1].element = .text
    dog.collections[0].kind = .set
    #expect(
      Self.refusal(SyncModel(classes: [dog]), try #require(try InstalledSchema.read(kennel.connection)))?
        .description
          == """
          'Dog.toys' is a set of required text, and on the server a list of required text: add a new property instead.
          'Dog.friends' is a set of required text linking to 'Dog', and on the server a set of required bigint \
          linking to 'Dog': add a new property instead.
          """)
  }

  @Test func anotherTypeIsRefusedWithTheWayOut() throws {
    let kennel = try Kennel()
    let installed = try #require(try InstalledSchema.read(kennel.connection))
    let other = try Self.model(
      Column(name: "age", type: .string), Column(name: "name", type: .string, isNullable: true))
    let refusal = try #require(Self.refusal(other, installed))
    #expect(
      refusal.description == """
        'Dog.age' is a required text, and on the server a required bigint: add a new property instead.
        'Dog.name' is an optional text, and on the server a required text: add a new property instead.
        """)
    #expect(refusal.reasons.map(\.kind) == [.changedType, .changedType])
  }

  /// A session would stop on a counter that the server has not, and nobody could use the routing property.
  @Test func countersAndRoutingPropertiesThatTheServerHasNotAreRefused() throws {
    let kennel = try Kennel()
    let installed = try #require(try InstalledSchema.read(kennel.connection))
    var dog = Kennel.dog
    func refused() -> String? { Self.refusal(SyncModel(classes: [dog]), installed)?.description }
    #expect(refused() == nil)
    dog.properties[1].isCounter = true
    dog.properties[0].isRouting = true
    dog.properties.append(
      SyncProperty(name: "home", column: 5, number: 5, type: .text, isOptional: true, isRouting: true))
    #expect(
      refused() == """
        'Dog.name' is no routing property on the server, whose departures of 'Dog' lack it: leave it out of the routing \
        properties, or use a new class.
        'Dog.age' is no counter on the server: add a new property that is a counter instead, or leave it out of the \
        counters.
        'Dog.home' is new on the server, whose departures of 'Dog' lack it: leave it out of the routing properties, or use \
        a new class.
        """)
    #expect(
      Self.refusal(SyncModel(classes: [dog]), installed)?.reasons.map(\.kind) == [
        .routing, .counter, .routing,
      ])
    // What the server has need not be said again, and a new property may be a counter.
    dog = Kennel.dog
    dog.properties[2].isCounter = false
    dog.properties[3].isRouting = false
    dog.properties.append(SyncProperty(name: "walks", column: 5, number: 5, type: .bigint, isCounter: true))
    let addition = try SchemaAddition(SyncModel(classes: [dog]), to: installed)
    #expect(addition.properties.map(\.property.isCounter) == [true])
  }

  @Test func anotherKeyIsRefused() throws {
    let kennel = try Kennel()
    let installed = try #require(try InstalledSchema.read(kennel.connection))
    for key in [
      Column(name: "number", type: .int, isPrimaryKey: true),
      Column(name: "id", type: .uuid, isPrimaryKey: true),
    ] {
      let model = try SyncModel.read(Catalogue(tables: [TableDescription(name: "Dog", columns: [key])]))
      #expect(Self.refusal(model, installed)?.reasons.map(\.kind) == [.changedKey])
    }
  }

  /// Each program decides what is missing after it has waited for the other one.
  @Test func twoProgramsAddToASchemaOneAfterTheOther() throws {
    let model = try Self.model(
      Column(name: "nick", type: .string),
      others: [TableDescription(name: "Cat", columns: [Column(name: "id", type: .int, isPrimaryKey: true)])])
    for _ in 0..<TestLength.count(5, long: 50) {
      let kennel = try Kennel()
      let settings = kennel.settings
      let additions = Mutex<[Bool]>([])
      DispatchQueue.concurrentPerform(iterations: 2) { _ in
        do {
          let connection = try PostgresConnection(settings)
          let isEmpty = try connection.changeSchema {
            let addition = try SchemaAddition(model, to: #require(try InstalledSchema.read(connection)))
            for statement in addition.statements { try connection.run(statement) }
            return addition.isEmpty
          }
          additions.withLock { $0.append(isEmpty) }
        } catch {
          Issue.record(error)
        }
      }
      #expect(additions.withLock { $0 }.filter { $0 }.count == 1)
      #expect(try kennel.rows("select count(*) from realm.property where name = 'nick'") == ["1"])
    }
  }
}
