import QueryEngine
import Storage
import Testing

/// Predicates on objects and values that are in no database.
@Suite struct InMemoryTests {
  private final class Dog: PredicateObject {
    let properties: [String: PredicateSubject]
    init(_ properties: [String: PredicateSubject]) { self.properties = properties }
    var predicateClassName: String { "Dog" }
    var predicateLink: Value? { nil }
    func predicateSubject(ofProperty name: String) -> PredicateSubject? { properties[name] }
  }

  private static var rex: Dog {
    Dog([
      "name": .value(.string("Rex")), "age": .value(.int(3)), "weight": .value(.double(20.5)),
      "friend": .object(Dog(["name": .value(.string("Bella")), "friend": .value(.null)])),
      "nobody": .value(.null),
      "scores": .elements([.value(.int(1)), .value(.null), .value(.int(4))]), "none": .elements([]),
      "puppies": .elements([
        .object(Dog(["age": .value(.int(0))])), .object(Dog(["age": .value(.int(2))])),
        .object(Dog(["age": .value(.null)])),
      ]),
      "tags": .entries([(key: "a", value: .value(.string("x"))), (key: "b", value: .value(.null))]),
      "any": .value(.list([.int(1), .dictionary([.init(key: "k", value: .string("v"))])])),
    ])
  }

  @Test(arguments: [
    ("age == 3", true), ("age == 3.0", true), ("age > 2.5 AND name == 'Rex'", true),
    ("name ==[c] 'rEX'", true),
    ("name == 'rex'", false), ("name CONTAINS 'e'", true), ("name CONTAINS ''", false), ("age == '3'", false),
    ("age BETWEEN {1, 3}", true), ("age IN {1, 2}", false), ("name IN[c] {'REX'}", true),
    ("friend.name BEGINSWITH 'B'", true), ("friend.friend.name == nil", true), ("nobody == nil", true),
    ("nobody.name != 'x'", true), ("ANY scores == 4", true), ("ANY scores == nil", true),
    ("NONE scores > 4", true),
    ("4 IN scores", true), ("ANY none != 1", false), ("none.@count == 0", true), ("scores.@sum == 5", true),
    ("scores.@avg == 2.5", true), ("none.@max == nil", true), ("puppies.@max.age == 2", true),
    ("ANY puppies.age < 1", true), ("SUBQUERY(puppies, $p, $p.age >= 0).@count == 2", true),
    ("tags['a'] == 'x'", true), ("tags['z'] == nil", true), ("ANY tags.@allKeys == 'b'", true),
    ("ANY tags.@allValues == nil", true), ("any[0] == 1", true), ("any[-1]['k'] == 'v'", true),
    ("any[#any] == 1", true), ("NOT age == 3", false), ("weight > age", true), ("TRUEPREDICATE", true),
    ("SELF == %@", false), ("SELF != %@", true),
  ])
  func objects(format: String, answer: Bool) throws {
    let expression = try PredicateExpression(format: format, arguments: [.detachedObject])
    #expect(try expression.matches(.object(Self.rex)) == answer, "\(format)")
  }

  @Test func plainValues() throws {
    let expression = try PredicateExpression(format: "SELF == 7 AND SELF < 456")
    #expect(try expression.matches(.value(.int(7))))
    #expect(try !expression.matches(.value(.int(8))))
    #expect(try PredicateExpression(format: "SELF BEGINSWITH 'a'").matches(.value(.string("ab"))))
  }

  @Test(arguments: [
    ("nope == 1", "Invalid keypath 'nope': Property 'nope' not found in object of type 'Dog'"),
    ("scores == 1", "Key paths that include a collection property must use aggregate operations"),
    (
      "age.@count == 1",
      "Invalid keypath 'age.@count': collection operation '@count' must be applied to a collection"
    ),
    ("age IN 5", "IN clause requires an array of items"),
  ])
  func refused(format: String, message: String) throws {
    let expression = try PredicateExpression(format: format)
    let error = #expect(throws: PredicateError.self) { try expression.matches(.object(Self.rex)) }
    #expect(error?.message == message)
  }
}
