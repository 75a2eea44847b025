import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// The properties of one Swift type in `QueryThing`, with values for them.
struct QueryColumn<Value: RealmCollectionValue & _Persistable> {
  var pool: [Value]
  var scalar: ReferenceWritableKeyPath<QueryThing, Value>
  var optional: ReferenceWritableKeyPath<QueryThing, Value?>?
  var list: KeyPath<QueryThing, List<Value>>?
  var set: KeyPath<QueryThing, MutableSet<Value>>?
  var map: KeyPath<QueryThing, Map<String, Value>>?

  func fill(_ thing: QueryThing, _ random: inout SeededGenerator) {
    thing[keyPath: scalar] = pool.randomElement(using: &random)!
    if let optional {
      thing[keyPath: optional] = Bool.random(using: &random) ? nil : pool.randomElement(using: &random)
    }
    for _ in 0..<Int.random(in: 0..<4, using: &random) {
      let value = pool.randomElement(using: &random)!
      if let list { thing[keyPath: list].append(value) }
      if let set { thing[keyPath: set].insert(value) }
      if let map { thing[keyPath: map][["a", "b", "c"].randomElement(using: &random)!] = value }
    }
  }
}

/// Every kind of column (key paths and values, which never change), and a realm with random values in them.
final class QueryTable {
  nonisolated(unsafe) static let bools = QueryColumn(
    pool: [false, true], scalar: \.bool, optional: \.optBool, list: \.bools, set: \.boolSet, map: \.boolMap)
  nonisolated(unsafe) static let ints = QueryColumn(
    pool: [-3, 0, 2, 2, 70_000], scalar: \.int, optional: \.optInt, list: \.ints, set: \.intSet, map: \.intMap
  )
  nonisolated(unsafe) static let int8s = QueryColumn(
    pool: [-128, 0, 5, 127] as [Int8], scalar: \.int8, optional: \.optInt8)
  nonisolated(unsafe) static let int16s = QueryColumn(
    pool: [-300, 0, 5, 300] as [Int16], scalar: \.int16, optional: \.optInt16)
  nonisolated(unsafe) static let int32s = QueryColumn(
    pool: [.min, 0, 5, .max] as [Int32], scalar: \.int32, optional: \.optInt32)
  nonisolated(unsafe) static let int64s = QueryColumn(
    pool: [.min, 0, 5, .max] as [Int64], scalar: \.int64, optional: \.optInt64)
  nonisolated(unsafe) static let indexedInts = QueryColumn(pool: [-1, 3, 4, 9], scalar: \.indexedInt)
  nonisolated(unsafe) static let floats = QueryColumn(
    pool: [-0.1, 0, 1.5, .infinity] as [Float], scalar: \.float, optional: \.optFloat, list: \.floats)
  nonisolated(unsafe) static let doubles = QueryColumn(
    pool: [-0.1, 0, 1.5, 1e300], scalar: \.double, optional: \.optDouble, list: \.doubles, set: \.doubleSet,
    map: \.doubleMap)
  nonisolated(unsafe) static let decimals = QueryColumn(
    pool: [-1, 0.5, "1e30", 7] as [Decimal128], scalar: \.decimal, optional: \.optDecimal, list: \.decimals,
    set: \.decimalSet, map: \.decimalMap)
  nonisolated(unsafe) static let strings = QueryColumn(
    pool: ["", "a", "Ab", "abc", "ABC", "éclair", "ECLAIR", "b*c"], scalar: \.string, optional: \.optString,
    list: \.strings, set: \.stringSet, map: \.stringMap)
  nonisolated(unsafe) static let datas = QueryColumn(
    pool: [Data(), Data([1]), Data([1, 2]), Data([0, 255, 1])], scalar: \.data, optional: \.optData,
    list: \.datas)
  nonisolated(unsafe) static let dates = QueryColumn(
    pool: [-5, 0, 0.25, 1e9].map { Date(timeIntervalSinceReferenceDate: $0) }, scalar: \.date,
    optional: \.optDate, list: \.dates, set: \.dateSet, map: \.dateMap)
  nonisolated(unsafe) static let objectIds = QueryColumn(
    pool: ["000000000000000000000001", "0123456789abcdef01234567"].map { ObjectId($0) }, scalar: \.objectId,
    optional: \.optObjectId, list: \.objectIds)
  nonisolated(unsafe) static let uuids = QueryColumn(
    pool: [1, 2, 250].map { UUID(uuid: ($0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9)) }, scalar: \.uuid,
    optional: \.optUuid, list: \.uuids, set: \.uuidSet, map: \.uuidMap)
  nonisolated(unsafe) static let ranks = QueryColumn(
    pool: QueryRank.allCases, scalar: \.rank, optional: \.optRank, list: \.ranks, map: \.rankMap)
  nonisolated(unsafe) static let moods = QueryColumn(
    pool: QueryMood.allCases, scalar: \.mood, optional: \.optMood, list: \.moods, set: \.moodSet,
    map: \.moodMap)
  nonisolated(unsafe) static let lengths = QueryColumn(
    pool: [-1, 0, 2.5].map(QueryLength.init(metres:)), scalar: \.length, optional: \.optLength,
    list: \.lengths, map: \.lengthMap)
  nonisolated(unsafe) static let codes = QueryColumn(
    pool: ["", "LHR", "lhr"].map(QueryCode.init(letters:)), scalar: \.code, optional: \.optCode, list: \.codes
  )

  let scratch: ScratchRealm
  let things: Results<QueryThing>
  let all: [QueryThing]
  let shelf: List<QueryThing>

  init(count: Int = 24, seed: UInt64 = 5) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    scratch = try ScratchRealm(opening: QueryThing.classes)
    let realm = scratch.realm
    try realm.write {
      for id in 0..<count {
        let thing = QueryThing()
        thing.id = id
        Self.fill(thing, &random)
        realm.add(thing)
      }
      let things = Array(realm.objects(QueryThing.self))
      for thing in things {
        if Bool.random(using: &random) { thing.link = things.randomElement(using: &random) }
        for _ in 0..<Int.random(in: 0..<4, using: &random) {
          thing.list.append(things.randomElement(using: &random)!)
          thing.set.insert(things.randomElement(using: &random)!)
          thing.map[["a", "b"].randomElement(using: &random)!] =
            .some(Bool.random(using: &random) ? nil : things.randomElement(using: &random)!)
        }
      }
      let shelf = realm.create(QueryThing.self, value: ["id": -1])
      shelf.list.append(objectsIn: things)
    }
    things = realm.objects(QueryThing.self).filter("id >= 0")
    all = Array(things)
    shelf = realm.object(ofType: QueryThing.self, forPrimaryKey: -1)!.list
  }

  private static func fill(_ thing: QueryThing, _ random: inout SeededGenerator) {
    bools.fill(thing, &random)
    ints.fill(thing, &random)
    int8s.fill(thing, &random)
    int16s.fill(thing, &random)
    int32s.fill(thing, &random)
    int64s.fill(thing, &random)
    indexedInts.fill(thing, &random)
    floats.fill(thing, &random)
    doubles.fill(thing, &random)
    decimals.fill(thing, &random)
    strings.fill(thing, &random)
    datas.fill(thing, &random)
    dates.fill(thing, &random)
    objectIds.fill(thing, &random)
    uuids.fill(thing, &random)
    ranks.fill(thing, &random)
    moods.fill(thing, &random)
    lengths.fill(thing, &random)
    codes.fill(thing, &random)
    if Bool.random(using: &random) { thing.indexedString = strings.pool.randomElement(using: &random) }
  }

  /// The condition selects the objects that it should, however it is asked: as a typed query, as its text, on a list,
  /// negated, and by itself in memory. Rows are compared, since making objects of so many properties takes long.
  func check(
    _ condition: (Query<QueryThing>) -> Query<Bool>, _ expected: (QueryThing) -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let (text, arguments) = Query<Bool>.text(condition)
    let isWanted = all.map(expected)
    let wanted = zip(all, isWanted).filter(\.1).map(\.0._row)
    // Describing objects of so many properties takes long, too.
    var label: Comment { Comment(rawValue: "\(text) \(arguments)") }
    #expect(things.where(condition).core.allRows == wanted, label, sourceLocation: sourceLocation)
    let predicate = NSPredicate(format: text, argumentArray: arguments)
    #expect(things.filter(predicate).core.allRows == wanted, label, sourceLocation: sourceLocation)
    #expect(shelf.where(condition).core.allRows == wanted, label, sourceLocation: sourceLocation)
    #expect(
      all.filter { predicate.evaluate(with: $0) }.map(\._row) == wanted, label, sourceLocation: sourceLocation
    )
    let others = zip(all, isWanted).filter { !$0.1 }.map(\.0._row)
    #expect(
      things.where { !(condition($0) && $0.id >= 0) }.core.allRows == others, label,
      sourceLocation: sourceLocation)
    #expect(
      things.index(matching: condition) == isWanted.firstIndex(of: true), label,
      sourceLocation: sourceLocation)
  }
}
