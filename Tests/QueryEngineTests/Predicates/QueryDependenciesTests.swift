import QueryEngine
import Testing

@testable import Storage

/// The tables and columns that predicates and sort keys read, and which changes concern them.
@Suite struct QueryDependenciesTests {
  /// Table 0 is people: 0 name, 1 age, 2 tags, 3 dog, 4 dogs, 5 anything. Table 1 is dogs: 0 name, 1 weight.
  private static let catalogue = Catalogue(tables: [
    TableDescription(
      name: "Person",
      columns: [
        Column(name: "name", type: .string),
        Column(name: "age", type: .int),
        Column(name: "tags", type: .string, collection: .list),
        Column(name: "dog", type: .link, isNullable: true, target: 1),
        Column(name: "dogs", type: .link, collection: .list, target: 1),
        Column(name: "anything", type: .mixed, isNullable: true),
      ]),
    TableDescription(
      name: "Dog",
      columns: [
        Column(name: "name", type: .string),
        Column(name: "weight", type: .double),
      ]),
  ])

  private static func lookup(_ table: Int, _ name: String) -> PropertyReference? {
    if table == 1, name == "owners" { return .backlinks(table: 0, column: 4) }
    return catalogue.columnLookup(table, name)
  }

  private static func dependencies(_ format: String, table: Int = 0) throws -> QueryDependencies {
    let expression = try PredicateExpression(format: format, arguments: [])
    var dependencies = QueryDependencies(table: table)
    dependencies.add(try resolve(expression, table: table, catalogue: catalogue, lookup: lookup))
    return dependencies
  }

  @Test(
    arguments: [
      ("TRUEPREDICATE", [0: []], true),
      ("age > 3", [0: [1]], true),
      ("age > 3 AND (name == 'a' OR NOT name LIKE 'b*')", [0: [0, 1]], true),
      ("ANY tags == 'a'", [0: [2]], true),
      ("tags.@count > 2", [0: [2]], true),
      ("anything['a'] == 1", [0: [5]], true),
      ("anything[#any] == 1", [0: [5]], true),
      ("dog.weight > 3", [0: [3], 1: [1]], false),
      ("dog.name == name", [0: [0, 3], 1: [0]], false),
      ("dog.name BEGINSWITH name", [0: [0, 3], 1: [0]], false),
      ("ANY dogs.weight > 3", [0: [4], 1: [1]], false),
      ("dogs.@avg.weight > 3", [0: [4], 1: [1]], false),
      ("SUBQUERY(dogs, $x, $x.name == 'a').@count > 1", [0: [4], 1: [0]], false),
    ] as [(String, [Int: Set<Int>], Bool)])
  func columns(format: String, columns: [Int: Set<Int>], isLocal: Bool) throws {
    let dependencies = try Self.dependencies(format)
    #expect(dependencies.columns == columns)
    #expect(dependencies.isLocal == isLocal)
    #expect(!dependencies.isUnknown)
  }

  @Test func backLinks() throws {
    #expect(try Self.dependencies("owners.@count > 1", table: 1).columns == [0: [4], 1: []])
    #expect(try Self.dependencies("ANY owners.age > 1", table: 1).columns == [0: [1, 4], 1: []])
  }

  @Test func sortKeys() throws {
    var dependencies = QueryDependencies(table: 0)
    dependencies.add(try SortKey(keyPath: "age", table: 0, catalogue: Self.catalogue))
    #expect(dependencies.columns == [0: [1]] && dependencies.isLocal)
    dependencies.add(try SortKey(keyPath: "dog.weight", table: 0, catalogue: Self.catalogue))
    #expect(dependencies.columns == [0: [1, 3], 1: [1]] && !dependencies.isLocal)
  }

  // MARK: Changes

  private static func changes(
    table: Int, deleted: [Int] = [], inserted: Int = 0, modified: [Int: [Int]] = [:]
  ) -> VersionChanges {
    var changes = VersionChanges()
    changes.tables[table] = TableChanges(
      firstNewRow: 100, rowLimit: 100 + inserted, deleted: IndexRanges(deleted),
      modified: modified.mapValues { IndexRanges($0) })
    return changes
  }

  @Test func changesOfWhatIsRead() throws {
    let age = try Self.dependencies("age > 3")
    #expect(!age.areTouched(by: VersionChanges()))
    #expect(age.areTouched(by: Self.changes(table: 0, modified: [1: [5]])))
    #expect(!age.areTouched(by: Self.changes(table: 0, modified: [0: [5], 2: [7]])))
    #expect(age.areTouched(by: Self.changes(table: 0, deleted: [5])))
    #expect(age.areTouched(by: Self.changes(table: 0, inserted: 1)))
    #expect(!age.areTouched(by: Self.changes(table: 1, deleted: [5], inserted: 1, modified: [1: [5]])))

    let weight = try Self.dependencies("dog.weight > 3")
    #expect(weight.areTouched(by: Self.changes(table: 1, modified: [1: [5]])))
    #expect(!weight.areTouched(by: Self.changes(table: 1, modified: [0: [5]])))
    #expect(weight.areTouched(by: Self.changes(table: 1, deleted: [5])))
  }

  @Test func candidates() throws {
    let changes = Self.changes(table: 0, deleted: [3], inserted: 2, modified: [0: [1], 1: [5, 7], 2: [9]])
    #expect(try Self.dependencies("age > 3").candidates(in: changes)?.members == [3, 5, 7, 100, 101])
    #expect(try Self.dependencies("age > 3").candidates(in: Self.changes(table: 1, inserted: 1)) == nil)
    // A row's answer may change although the row does not.
    #expect(try Self.dependencies("dog.weight > 3").candidates(in: changes) == nil)
  }

  @Test func theUnknownIsTouchedByEverything() throws {
    var dependencies = try Self.dependencies("age > 3")
    dependencies.addUnknown()
    #expect(dependencies.areTouched(by: VersionChanges()))
    #expect(dependencies.candidates(in: Self.changes(table: 0, inserted: 1)) == nil)
  }
}
