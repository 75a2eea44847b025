import QueryEngine
import Storage
import Sync
import Testing

/// What a subscription accepts, and what it refuses with its reason.
@Suite struct SubscriptionConditionTests {
  private static let catalogue = Catalogue(
    tables: [
      TableDescription(
        name: "Dog",
        columns: [
          Column(name: "id", type: .int, isPrimaryKey: true), Column(name: "color", type: .string),
          Column(name: "age", type: .int), Column(name: "owner", type: .link, isNullable: true, target: 1),
          Column(name: "tags", type: .string, collection: .list), Column(name: "any", type: .mixed),
        ]),
      TableDescription(
        name: "Person",
        columns: [
          Column(name: "id", type: .uuid, isPrimaryKey: true), Column(name: "name", type: .string),
        ]),
    ])
  private static let dog = SyncClass(
    name: "Dog", table: 0, key: SyncProperty(name: "id", column: 0, number: 0, type: .bigint),
    properties: [
      SyncProperty(name: "color", column: 1, number: 1, type: .text),
      SyncProperty(name: "age", column: 2, number: 2, type: .bigint),
      SyncProperty(name: "owner", column: 3, number: 3, type: .uuid, isOptional: true),
    ])

  private func sql(_ format: String, _ arguments: [Argument] = []) throws -> String {
    let expression = try PredicateExpression(format: format, arguments: arguments)
    let predicate = try resolve(expression, table: 0, catalogue: Self.catalogue)
    let condition = try SubscriptionCondition(predicate, table: 0, Self.catalogue)
    return try SubscriptionSQL(Self.dog, routing: ["color", "owner"]).text(condition)
  }

  @Test func routingPropertiesAndKeysBecomeSQL() throws {
    #expect(try sql("TRUEPREDICATE") == "true")
    #expect(try sql("id == 3") == "(t.\"id\" is not null and t.\"id\" = '3'::bigint)")
    #expect(try sql("owner == nil") == "(t.\"owner\" is null)")
    let key = Argument.value(.uuid(Fixed16(high: 0, low: 1)))
    #expect(
      try sql("owner.id == %@", [key])
        == "(t.\"owner\" is not null and t.\"owner\" = '00000000000000000000000000000001'::uuid)")
    #expect(try sql("owner.id != %@", [key]).hasPrefix("(t.\"owner\" is null or"))
  }

  @Test func valuesCannotEndTheirLiterals() throws {
    let text = Argument.value(.string("'; drop table app.\"Dog\"; --\\"))
    #expect(
      try sql("color == %@", [text])
        == "(t.\"color\" is not null and t.\"color\" = E'''; drop table app.\"Dog\"; --\\\\'::text)")
  }

  @Test(arguments: [
    ("age == 3", "no routing property"), ("color ==[c] 'red'", "[c] and [d]"),
    ("color CONTAINS[d] 'r'", "[c] and [d]"), ("owner.name == 'Ann'", "through 'owner'"),
    ("ANY tags == 'a'", "elements of a collection"), ("tags.@count > 1", "aggregate"),
    ("any == 3", "several types"), ("color == owner.name", "two properties"),
  ]) func othersAreRefusedWithTheReason(format: String, reason: String) throws {
    let refusal = #expect(throws: SubscriptionRefusal.self) { try sql(format) }
    #expect(refusal?.description.contains(reason) == true, "\(refusal?.description ?? "")")
  }

  @Test func textsThatTheServerCannotStoreAreRefused() throws {
    for format in ["color == %@", "color CONTAINS %@", "color IN {'a', %@}"] {
      let refusal = #expect(throws: SubscriptionRefusal.self) {
        try sql(format, [.value(.string("a\0b"))])
      }
      #expect(refusal?.description.contains("U+0000") == true)
    }
  }

  @Test func damagedConditionsAreNotRead() throws {
    let condition = SubscriptionCondition.and([
      .not(.value(SubscribedValue("color"), .compare(.equal, .string("red")))), .constant(true),
    ])
    let bytes = condition.encoded
    #expect(SubscriptionCondition(bytes) == condition)
    for count in bytes.indices { #expect(SubscriptionCondition(Array(bytes[..<count])) == nil) }
    #expect(SubscriptionCondition(bytes + [0]) == nil)
  }
}
