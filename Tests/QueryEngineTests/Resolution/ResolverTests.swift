import QueryEngine
import Testing

@testable import Storage

/// What is wrong with predicates that parse, in the official words.
@Suite struct ResolverTests {
  private static let tables = [
    TableDescription(
      name: "Person",
      columns: [
        Column(name: "name", type: .string), Column(name: "age", type: .int),
        Column(name: "height", type: .float, isNullable: true), Column(name: "isHappy", type: .bool),
        Column(name: "photo", type: .data), Column(name: "born", type: .date),
        Column(name: "any", type: .mixed),
        Column(name: "dog", type: .link, isNullable: true, target: 1),
        Column(name: "dogs", type: .link, collection: .list, target: 1),
        Column(name: "scores", type: .int, collection: .list),
        Column(name: "days", type: .date, collection: .list),
        Column(name: "titles", type: .string, collection: .list),
        Column(name: "marks", type: .int, collection: .map), Column(name: "identifier", type: .uuid),
        Column(name: "price", type: .decimal128),
      ]),
    TableDescription(
      name: "Dog",
      columns: [
        Column(name: "name", type: .string), Column(name: "age", type: .int),
        Column(name: "owner", type: .link, isNullable: true, target: 0),
      ]),
  ]

  private static func error(_ format: String, _ arguments: [Argument]) -> PredicateError? {
    do {
      let expression = try PredicateExpression(format: format, arguments: arguments)
      _ = try resolve(expression, table: 0, catalogue: Catalogue(tables: tables))
      return nil
    } catch let error as PredicateError {
      return error
    } catch {
      return PredicateError("?", "\(error)")
    }
  }

  @Test(arguments: [
    (
      "nope == 1", "Invalid predicate",
      "Invalid keypath 'nope': Property 'nope' not found in object of type 'Person'"
    ),
    (
      "dog.nope == 1", "Invalid predicate",
      "Invalid keypath 'dog.nope': Property 'nope' not found in object of type 'Dog'"
    ),
    (
      "age.x == 1", "Invalid predicate",
      "Invalid keypath 'age.x': Property 'Person.age' is not a link or collection and can only appear at the end of a keypath."
    ),
    (
      "age.@count == 1", "Invalid predicate",
      "Invalid keypath 'age.@count': Property 'Person.age' is not a link or collection and can only appear at the end of a keypath."
    ),
    (
      "dog.@count == 1", "Invalid predicate",
      "Invalid keypath 'dog.@count': collection operation '@count' must be applied to a collection"
    ),
    (
      "ANY dogs.@foo == 1", "Invalid predicate",
      "Invalid keypath 'dogs.@foo': Unsupported collection operation '@foo'"
    ),
    (
      "ANY @links.Dog.owner.age == 1", "Invalid predicate",
      "Invalid keypath '@links.Dog.owner.age': Unsupported collection operation '@links'"
    ),
    (
      "scores.@count.x == 1", "Invalid predicate",
      "Invalid keypath 'scores.@count.x': @count must appear at the end of a keypath."
    ),
    (
      "dogs.@count.x == 1", "Invalid predicate",
      "Invalid keypath 'dogs.@count.x': @count must appear at the end of a keypath."
    ),
    (
      "ANY marks.@allKeys.x == 'a'", "Invalid predicate",
      "Invalid keypath 'marks.@allKeys.x': @allKeys must appear at the end of a keypath."
    ),
    (
      "ANY dogs.@allKeys == 'a'", "Invalid predicate",
      "Invalid keypath 'dogs.@allKeys': @allKeys must follow a dictionary property."
    ),
    (
      "ANY scores.@allValues == 1", "Invalid predicate",
      "Invalid keypath 'scores.@allValues': @allValues must follow a dictionary property."
    ),
    (
      "scores.@min.@max == 1", "Invalid predicate",
      "Invalid keypath 'scores.@min.@max': at most one collection operation per keypath is supported."
    ),
    (
      "dogs.@min == 1", "Invalid predicate",
      "Invalid keypath 'dogs.@min': @min on a collection of objects cannot appear at the end of a keypath."
    ),
    (
      "scores.@min.x == 1", "Invalid predicate",
      "Invalid keypath 'scores.@min.x': @min on a collection of values must appear at the end of a keypath."
    ),
    (
      "titles.@min == 1", "Invalid predicate",
      "Invalid keypath 'titles.@min': @min can only be applied to a collection of numeric values."
    ),
    (
      "dogs.@sum.name == 1", "Invalid predicate",
      "Invalid keypath 'dogs.@sum.name': @sum must be followed by a numeric property."
    ),
    (
      "dogs.@sum.age.x == 1", "Invalid predicate",
      "Invalid keypath 'dogs.@sum.age.x': int property age can only be followed by a collection operation."
    ),
    (
      "dogs.age == 1", "Invalid predicate",
      "Key paths that include a collection property must use aggregate operations"
    ),
    (
      "scores == 1", "Invalid predicate",
      "Key paths that include a collection property must use aggregate operations"
    ),
    (
      "ANY age == 1", "Invalid predicate",
      "Aggregate operations can only be used on key paths that include an collection property"
    ),

    (
      "age < 'x'", "Invalid value",
      "Cannot compare value 'x' of type 'String' to property 'age' of type 'int'"
    ),
    (
      "age == 1.5", "Invalid value",
      "Cannot compare value '1.5' of type 'Double' to property 'age' of type 'int'"
    ),
    (
      "name == 5", "Invalid value",
      "Cannot compare value '5' of type 'Int' to property 'name' of type 'string'"
    ),
    (
      "isHappy == 2", "Invalid value",
      "Cannot compare value '2' of type 'Int' to property 'isHappy' of type 'bool'"
    ),
    (
      "height == 1e300", "Invalid value",
      "Cannot compare value '1e+300' of type 'Double' to property 'height' of type 'float'"
    ),
    (
      "identifier == 'x'", "Invalid value",
      "Cannot compare value 'x' of type 'String' to property 'identifier' of type 'uuid'. Pass a UUID as the argument of %@ instead of a string."
    ),
    (
      "name CONTAINS 5", "Invalid value",
      "Cannot compare value '5' of type 'Int' to property 'name' of type 'string'"
    ),
    ("isHappy < true", "Invalid operator type", "Operator '<' not supported for type 'bool'"),
    ("age CONTAINS 1", "Invalid operator type", "Operator 'CONTAINS' not supported for type 'int'"),
    ("name MATCHES 'x'", "Invalid operator type", "Operator 'MATCHES' not supported for type 'string'"),
    (
      "name BETWEEN {'a', 'b'}", "Invalid operator type", "Operator 'BETWEEN' not supported for type 'string'"
    ),
    ("name <[c] 'x'", "Invalid predicate", "Lexicographical comparisons must be case-sensitive"),
    (
      "name LIKE[d] 'x'", "Invalid operator type",
      "Operator 'LIKE' not supported with diacritic-insensitive modifier."
    ),
    (
      "'x' CONTAINS name", "Unsupported predicate", "Operator 'CONTAINS' requires a keypath on the left side."
    ),
    (
      "1 == 2", "Invalid predicate expressions",
      "Predicate expressions must compare a keypath and another keypath or a constant value"
    ),
    (
      "name == age", "RLMPropertiesComparisonTypeMismatchException",
      "Property type mismatch between string and int"
    ),
    ("age IN 5", "Invalid value", "IN clause requires an array of items"),
    (
      "age IN name", "Invalid predicate",
      "Predicate with IN operator must compare a KeyPath with an aggregate"
    ),
    (
      "age BETWEEN dog.age", "Invalid predicate",
      "Predicate with BETWEEN operator must compare a KeyPath with an aggregate with two values"
    ),
    ("age BETWEEN 5", "Invalid value", "object must be of type NSArray for BETWEEN operations"),
    (
      "age BETWEEN {1}", "Invalid value",
      "NSArray object must contain exactly two objects for BETWEEN operations"
    ),
    ("age BETWEEN {1, 'x'}", "Invalid value", "NSArray objects must be of type int for BETWEEN operations"),
    ("age IN {1, dog}", "Invalid value", "Expressions within predicate aggregates must be constant values"),
    ("dogs.@count == 'x'", "Invalid operand", "@count can only be compared with a numeric value."),
    (
      "scores.@sum == nil", "Invalid operand",
      "@sum on a property of type int cannot be compared with '<null>'"
    ),
    (
      "scores.@sum == name", "Invalid operand",
      "@sum on a property of type int cannot be compared with property of type 'string'"
    ),
    ("days.@avg == 1", "Unsupported predicate value type", "Cannot sum or average date properties"),
    (
      "days.@max == dogs.@count", "Invalid operand", "@count can only be compared with a numeric value."
    ),
    (
      "days.@max == scores.@max", "Invalid operand",
      "@max on a property of type date cannot be compared with property of type 'int'"
    ),
    (
      "ANY dogs.name == titles", "Invalid predicate",
      "Comparing two collection columns is not permitted."
    ),
    (
      "titles == name", "Invalid predicate",
      "Key paths that include a collection property must use aggregate operations"
    ),
    (
      "ANY scores == name", "RLMPropertiesComparisonTypeMismatchException",
      "Property type mismatch between int and string"
    ),
    (
      "ANY titles IN name", "Invalid predicate",
      "Predicate with IN operator must compare a KeyPath with an aggregate"
    ),
    (
      "born > '2024-05-01'", "Invalid value",
      "Cannot compare value '2024-05-01' of type 'String' to property 'born' of type 'date'. Pass a Date as the argument of %@ instead of a string."
    ),
    (
      "born BETWEEN {'2024-05-01', '2024-06-01'}", "Invalid value",
      "NSArray objects must be of type date for BETWEEN operations. Pass a Date as the argument of %@ instead of a string."
    ),
    ("ANY marks.@allKeys == 5", "Invalid operand", "@allKeys can only be compared with a string value."),
    (
      "marks['a']['b'] == 1", "Invalid subscript size",
      "Invalid subscript size 'marks['a']['b']': nested dictionaries queries are only allowed in mixed properties."
    ),
    (
      "marks[0] == 1", "Invalid subscript type",
      "Invalid subscript type 'marks[0]': only string keys are allowed as subscripts in dictionary queries."
    ),
    (
      "age['a'] == 1", "Invalid predicate",
      "Invalid keypath 'age['a']': only dictionaries and realm `Any` support subscript predicates."
    ),
    (
      "SUBQUERY(dogs, $d, $d.age > 1).@count == nil", "Invalid predicate expression",
      "SUBQUERY(…).@count is only supported when compared with a constant number."
    ),
    (
      "SUBQUERY(dogs, $d, $d.nope > 1).@count == 1", "Invalid predicate",
      "Invalid keypath 'nope': Property 'nope' not found in object of type 'Dog'"
    ),
  ])
  func refused(format: String, name: String, message: String) {
    let error = Self.error(format, [])
    #expect(error?.name == name && error?.message == message, "\(format)")
    // Advice needs the property that is missing, and its class.
    let missing = error?.missingProperty
    #expect((missing != nil) == message.contains("not found in object of type"), "\(format)")
    if let missing {
      #expect(
        message.hasSuffix("Property '\(missing.name)' not found in object of type '\(missing.className)'"))
    }
  }

  @Test func argumentsThatDoNotFit() {
    #expect(
      Self.error("age == %@", [.unsupported(description: "url", type: "URL")])
        == PredicateError(
          "Invalid value", "Cannot compare value 'url' of type 'URL' to property 'age' of type 'int'"))
    #expect(Self.error("dog == %@", [.object(table: 0, row: 1)])?.name == "Invalid value")
    #expect(Self.error("age == %@", [.detachedObject])?.name == "Invalid value")
    #expect(Self.error("age == %@", [.list([])])?.name == "Invalid value")
  }

  @Test(arguments: [
    "age == true", "height == 1", "price == '1.5'", "price > 2", "isHappy == 1",
    "identifier == 'c0ffee00-0000-4000-8000-000000000001'", "any == 'x'", "any > 1", "any['a'][0] == nil",
    "dog == nil",
    "ANY dogs == nil", "ALL dogs.age == 1", "ALL scores > 1", "dog.owner.dog.age > 1",
    "ANY dogs.owner.dogs.age == 1", "5 IN scores",
    "'a' IN marks.@allKeys",
    "SELF != nil", "scores.@avg > 1.5", "dogs.@max.age == nil", "age > dog.age", "name CONTAINS[c] dog.name",
    "dogs.@count > age", "marks['a'] > 5", "age < nil", "titles.@count == 1.5",
  ])
  func accepted(format: String) {
    #expect(Self.error(format, []) == nil)
  }

  @Test func publicNamesAreLookedUp() throws {
    let database = try TestDatabase(Self.tables)
    database.insert(0, ["age": .int(4)])
    database.insert(1, ["owner": .link(table: 0, row: 0), "age": .int(2)])
    database.lookup = { table, name in
      switch (table, name) {
      case (0, "years"): .column(1)
      case (0, "pets"): .backlinks(table: 1, column: 2)
      case (1, "age"): .column(1)
      default: nil
      }
    }
    #expect(try database.rows("years == 4") == [0])
    #expect(try database.rows("pets.@count == 1") == [0])
    #expect(try database.rows("ANY pets.age == 2") == [0])
    #expect(try database.rows("SUBQUERY(pets, $p, $p.age > 2).@count == 0") == [0])
    #expect(throws: PredicateError.self) { try database.rows("age == 4") }
  }
}
