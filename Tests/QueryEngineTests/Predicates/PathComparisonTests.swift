import QueryEngine
import TestSupport
import Testing

@testable import Storage

/// A collection compared with a property, and aggregates compared with each other.
@Suite struct PathComparisonTests {
  private struct Model {
    var name: String?
    var age: Int
    var tags: [String?]
    var scores: [Int]
    var friends: [Int]
    var best: Int?
  }

  private static func optional(_ text: String?) -> Value { text.map(Value.string) ?? .null }
  private static func link(_ row: Int?) -> Value { row.map { .link(table: 0, row: $0) } ?? .null }

  private static func models(_ values: inout RandomValues, _ count: Int) -> [Model] {
    func word(_ values: inout RandomValues) -> String? {
      values.chance(6) ? nil : ["a", "b", "A", "ab", "bc", ""][values.below(6)]
    }
    return (0..<count).map { row in
      Model(
        name: word(&values), age: values.below(6), tags: (0..<values.below(4)).map { _ in word(&values) },
        scores: (0..<values.below(4)).map { _ in values.below(6) },
        friends: (0..<values.below(4)).map { _ in values.below(row + 1) },
        best: values.chance(3) ? nil : values.below(row + 1))
    }
  }

  private static func database(_ models: [Model]) throws -> TestDatabase {
    let database = try TestDatabase([
      TableDescription(
        name: "Person",
        columns: [
          Column(name: "name", type: .string, isNullable: true), Column(name: "age", type: .int),
          Column(name: "tags", type: .string, collection: .list, isNullable: true),
          Column(name: "scores", type: .int, collection: .list),
          Column(name: "friends", type: .link, collection: .list, target: 0),
          Column(name: "best", type: .link, isNullable: true, target: 0),
        ])
    ])
    for model in models {
      database.insert(
        0,
        [
          "name": optional(model.name), "age": .int(Int64(model.age)),
          "tags": .list(model.tags.map(optional)),
          "scores": .list(model.scores.map { .int(Int64($0)) }), "friends": .list(model.friends.map(link)),
          "best": link(model.best),
        ])
    }
    let catalogue = database.snapshot.catalogue
    database.lookup = { table, name in
      name == "admirers"
        ? .backlinks(table: 0, column: catalogue.tables[0].column(named: "best")!)
        : catalogue.columnLookup(table, name)
    }
    return database
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func eachModifierIsWhatTheModelSays(seed: UInt64) throws {
    print("seed \(seed)")
    var values = RandomValues(random: SeededGenerator(seed: seed))
    let models = Self.models(&values, 120)
    let database = try Self.database(models)
    func expect(_ format: String, _ holds: (Model, Int) -> Bool) throws {
      let expected = models.indices.filter { holds(models[$0], $0) }
      #expect(try database.rows(format) == expected, "\(format)")
    }
    func admirers(_ row: Int) -> [Model] { models.filter { $0.best == row } }
    func best(_ model: Model) -> Model? { model.best.map { models[$0] } }

    try expect("ANY tags == name") { model, _ in model.tags.contains(model.name) }
    try expect("name IN tags") { model, _ in model.tags.contains(model.name) }
    try expect("NOT name IN tags") { model, _ in !model.tags.contains(model.name) }
    try expect("ALL tags == name") { model, _ in model.tags.allSatisfy { $0 == model.name } }
    try expect("NONE tags == name") { model, _ in !model.tags.contains(model.name) }
    try expect("ANY tags ==[c] name") { model, _ in
      model.tags.contains {
        $0?.lowercased() == model.name?.lowercased() && ($0 == nil) == (model.name == nil) && $0 != nil
      }
    }
    try expect("ANY tags BEGINSWITH name") { model, _ in
      model.tags.contains { tag in
        guard let tag, let name = model.name, !name.isEmpty else { return false }
        return tag.hasPrefix(name)
      }
    }
    try expect("ANY scores > age") { model, _ in model.scores.contains { $0 > model.age } }
    try expect("ANY age < scores") { model, _ in model.scores.contains { $0 > model.age } }
    try expect("ALL scores >= age") { model, _ in model.scores.allSatisfy { $0 >= model.age } }
    try expect("ALL age <= scores") { model, _ in model.scores.allSatisfy { $0 >= model.age } }
    try expect("ANY friends.name == name") { model, _ in
      model.friends.contains { models[$0].name == model.name }
    }
    try expect("ANY friends.age > best.age") { model, _ in
      model.friends.contains { friend in best(model).map { models[friend].age > $0.age } == true }
    }
    try expect("ANY friends == best") { model, _ in model.friends.contains { $0 == model.best } }
    try expect("best IN friends") { model, _ in model.friends.contains { $0 == model.best } }
    try expect("SELF IN friends") { model, row in model.friends.contains(row) }
    try expect("ANY best.scores == age") { model, _ in best(model)?.scores.contains(model.age) == true }
    try expect("ANY admirers.age == age") { model, row in admirers(row).contains { $0.age == model.age } }
    try expect("ANY admirers == best") { model, row in
      model.best.map { models[$0].best == row } == true
    }
    try expect("scores.@count == friends.@count") { model, _ in model.scores.count == model.friends.count }
    try expect("scores.@sum > friends.@sum.age") { model, _ in
      model.scores.reduce(0, +) > model.friends.reduce(0) { $0 + models[$1].age }
    }
    try expect("scores.@max == scores.@min") { model, _ in model.scores.max() == model.scores.min() }
    try expect("tags.@count < scores.@max") { model, _ in
      model.scores.max().map { model.tags.count < $0 } == true
    }
    try expect("best.scores.@count > scores.@count") { model, _ in
      (best(model)?.scores.count ?? 0) > model.scores.count
    }
    try expect("admirers.@count >= friends.@count") { model, row in admirers(row).count >= model.friends.count
    }
  }

  @Test(arguments: [
    "ANY tags == name", "name IN tags", "ALL friends.age > age", "NONE tags CONTAINS[c] name",
    "ANY name < tags",
    "scores.@count > friends.@count", "friends.@sum.age == scores.@max", "ANY best.friends.name == best.name",
  ])
  func whatIsPrintedReadsTheSame(format: String) throws {
    let expression = try PredicateExpression(format: format)
    let printed = expression.format
    #expect(try PredicateExpression(format: printed.text, arguments: printed.arguments) == expression)
  }

  @Test(arguments: [
    ("ANY tags == name", "ANY tags == name"), ("best.name IN tags", "ANY best.name == tags"),
    ("ALL friends.age > age", "ALL friends.age > age"),
    ("NONE tags BEGINSWITH[c] name", "NOT (ANY tags BEGINSWITH[c] name)"),
    ("scores.@count > friends.@sum.age", "scores.@count > friends.@sum.age"),
  ])
  func explanations(format: String, text: String) throws {
    let database = try Self.database([])
    #expect(
      try database.snapshot.explain(database.predicate(format), table: 0).lines.first == "filter: " + text)
  }

  @Test func dependenciesAreOfBothSides() throws {
    let database = try Self.database([])
    var dependencies = QueryDependencies(table: 0)
    dependencies.add(try database.predicate("ANY tags == best.name"))
    let columns = ["name", "tags", "best"].map { database.snapshot.catalogue.tables[0].column(named: $0)! }
    #expect(dependencies.columns[0] == Set(columns) && !dependencies.isLocal)
  }
}
