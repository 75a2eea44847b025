import COpenRealm
import Foundation
import OpenRealmC
import RealmSwift

/// What a call of the C interface costs beside the typed Swift loop that does the same, in the same process. The two
/// alternate, and take turns in going first.
struct CInterfaceMeasurements {
  static let works = ["c-int", "c-string", "c-walk", "c-filter", "c-count", "c-set", "c-create"]

  let path: String
  let dataset: Dataset
  let repetitions: Int
  let options: Options
  let log: RunLog

  private struct Numbers {
    let realm: OpaquePointer
    let dog: Int32
    let columns: [Int32]
    let rows: [Int64]

    func object(_ row: Int64) -> openrealm_object { openrealm_object(class_number: dog, row: row) }
  }

  func run() throws -> [Measurement] {
    let database = try OpenRealmSubject(path: path, durability: .full)
    defer { database.close() }
    let realm = database.realm
    let handle = openrealm_handle(of: realm)
    defer { openrealm_release(UnsafeMutableRawPointer(handle)) }
    let numbers = try Self.numbers(handle, count: dataset.count)
    let dogs = Array(realm.objects(Dog.self))
    return try [
      reading("c-int", "int get", limit: 1, typed: { Self.sum(dogs) { $0.age } }) {
        Self.sumOfInts(numbers, numbers.columns[2])
      },
      reading("c-string", "string get", limit: 0.7, typed: { Self.sum(dogs) { $0.name.utf8.count } }) {
        Self.sumOfLengths(numbers, numbers.columns[1])
      },
      reading("c-walk", "walk and int get", limit: 1, typed: { Self.sumWalking(realm) }) {
        Self.sumWalking(numbers, numbers.columns[2])
      },
      querying("c-filter", "filter by two properties, read the last", typed: { Self.lastFound(realm) }) {
        Self.lastFound(numbers)
      },
      querying("c-count", "count by two properties", typed: { Self.countFound(realm) }) {
        Self.countFound(numbers)
      },
      writing("c-set", "int set", limit: 1, realm, dogs.count, typed: { for dog in dogs { dog.age = 7 } }) {
        Self.setInts(numbers, numbers.columns[2])
      },
      creating(realm, numbers),
    ].compactMap { $0 }
  }

  private static func numbers(_ realm: OpaquePointer, count: Int) throws -> Numbers {
    let dog = try number(openrealm_class_number(realm, "Dog"))
    let names: [String] = ["id", "name", "age", "color", "weight", "born", "vaccinated"]
    let columns = try names.map {
      try number(openrealm_property_number(realm, dog, $0))
    }
    var rows: [Int64] = []
    rows.reserveCapacity(count)
    var row: Int64 = 0
    while rows.count < count {
      if openrealm_is_valid(realm, openrealm_object(class_number: dog, row: row)) { rows.append(row) }
      row += 1
    }
    return Numbers(realm: realm, dog: dog, columns: columns, rows: rows)
  }

  private static func number(_ number: Int32) throws -> Int32 {
    if number < 0 { throw BenchmarkError("C interface: the class 'Dog' lacks a property.") }
    return number
  }

  // MARK: Loops

  private static func sum(_ dogs: [Dog], _ value: (Dog) -> Int) -> Int {
    var sum = 0
    for dog in dogs { sum &+= value(dog) }
    return sum
  }

  private static func sumOfInts(_ numbers: Numbers, _ column: Int32) -> Int {
    var sum = 0
    var value: Int64 = 0
    for row in numbers.rows {
      if openrealm_get_int(numbers.realm, numbers.object(row), column, &value) != 0 { return -1 }
      sum &+= Int(value)
    }
    return sum
  }

  private static func sumOfLengths(_ numbers: Numbers, _ column: Int32) -> Int {
    var sum = 0
    var value = openrealm_bytes()
    for row in numbers.rows {
      if openrealm_get_string(numbers.realm, numbers.object(row), column, &value) != 0 { return -1 }
      sum &+= value.size
    }
    return sum
  }

  private static func sumWalking(_ realm: Realm) -> Int {
    var sum = 0
    for dog in realm.objects(Dog.self) { sum &+= dog.age }
    return sum
  }

  /// Rows come by 256 at a time.
  private static func sumWalking(_ numbers: Numbers, _ column: Int32) -> Int {
    let objects = openrealm_objects(numbers.realm, numbers.dog)
    defer { openrealm_release(objects.map { UnsafeMutableRawPointer($0) }) }
    return withUnsafeTemporaryAllocation(of: Int64.self, capacity: 256) { rows in
      var sum = 0
      var value: Int64 = 0
      var (start, copied) = (0, 0)
      repeat {
        if openrealm_rows(objects, start, rows.count, rows.baseAddress, &copied) != 0 { return -1 }
        for row in rows[..<copied] {
          if openrealm_get_int(numbers.realm, numbers.object(row), column, &value) != 0 { return -1 }
          sum &+= Int(value)
        }
        start += copied
      } while copied > 0
      return sum
    }
  }

  private static let query = "age > %@ AND color == %@"

  private static func found(_ realm: Realm) -> Results<Dog> {
    realm.objects(Dog.self).filter(query, 5, "brown")
  }

  private static func lastFound(_ realm: Realm) -> Int { found(realm).last?.id ?? -1 }

  private static func countFound(_ realm: Realm) -> Int { found(realm).count }

  /// Calls a closure with the results of the query, which are released afterwards.
  private static func withFound(_ numbers: Numbers, _ body: (OpaquePointer) -> Int) -> Int {
    let objects = openrealm_objects(numbers.realm, numbers.dog)
    defer { openrealm_release(objects.map { UnsafeMutableRawPointer($0) }) }
    let found = "brown".withCString { color in
      openrealm_filter(objects, query, 2, [openrealm_int(5), openrealm_string(color)])
    }
    guard let found else { return -1 }
    defer { openrealm_release(UnsafeMutableRawPointer(found)) }
    return body(found)
  }

  private static func lastFound(_ numbers: Numbers) -> Int {
    withFound(numbers) { found in
      var count = 0
      var row: Int64 = -1
      var id: Int64 = -1
      guard openrealm_count(found, &count) == 0, count > 0,
        openrealm_rows(found, count - 1, 1, &row, &count) == 0, count == 1,
        openrealm_get_int(numbers.realm, numbers.object(row), numbers.columns[0], &id) == 0
      else { return -1 }
      return Int(id)
    }
  }

  private static func countFound(_ numbers: Numbers) -> Int {
    withFound(numbers) { found in
      var count = -1
      return openrealm_count(found, &count) == 0 ? count : -1
    }
  }

  private static func setInts(_ numbers: Numbers, _ column: Int32) {
    for row in numbers.rows where openrealm_set_int(numbers.realm, numbers.object(row), column, 7) != 0 {
      fatalError("openrealm_set_int failed.")
    }
  }

  private func create(_ numbers: Numbers, _ records: [DogGenerator.Record]) {
    for record in records {
      var name = record.name
      let created = name.withUTF8 { name in
        DogGenerator.colors[record.color].withCString { color in
          let values = [
            openrealm_int(Int64(record.id)),
            openrealm_text(
              UnsafeRawPointer(name.baseAddress)?.assumingMemoryBound(to: CChar.self), name.count),
            openrealm_int(Int64(record.age)), openrealm_string(color), openrealm_double(record.weight),
            openrealm_date_value(Int64(record.born), 0), openrealm_bool(record.vaccinated),
          ]
          return openrealm_create(numbers.realm, numbers.dog, values.count, numbers.columns, values, nil)
        }
      }
      if created != 0 { fatalError("openrealm_create failed.") }
    }
  }

  // MARK: Measuring

  private func reading(
    _ work: String, _ title: String, limit: Double, typed: () -> Int, c: () -> Int
  ) throws -> Measurement? {
    guard options.includes(work) else { return nil }
    let expected = typed()
    guard c() == expected else { throw BenchmarkError("\(work): wrong answer.") }
    return beside(work, title, limit, dataset.count, prepare: {}, typed: { _ = typed() }, c: { _ = c() })
  }

  /// Measures a query, which is run some times in each round.
  private func querying(
    _ work: String, _ title: String, typed: () -> Int, c: () -> Int
  ) throws -> Measurement? {
    guard options.includes(work) else { return nil }
    let expected = typed()
    guard expected >= 0, c() == expected else { throw BenchmarkError("\(work): wrong answer.") }
    let runs = 40
    func repeated(_ body: () -> Int) { for _ in 0..<runs { _ = body() } }
    return beside(
      work, title, 1.02, runs, prepare: {}, typed: { repeated(typed) }, c: { repeated(c) })
  }

  private func writing(
    _ work: String, _ title: String, limit: Double, _ realm: Realm, _ count: Int, typed: () -> Void,
    c: () -> Void
  ) throws -> Measurement? {
    guard options.includes(work) else { return nil }
    return beside(
      work, title, limit, count,
      prepare: {
        if realm.isInWriteTransaction { realm.cancelWrite() }
        realm.beginWrite()
      }, typed: typed, c: c, end: { realm.cancelWrite() })
  }

  private func creating(_ realm: Realm, _ numbers: Numbers) throws -> Measurement? {
    guard options.includes("c-create") else { return nil }
    let count = min(dataset.count, 100_000)
    var generator = DogGenerator(count: count)
    let records = (0..<count).map { _ -> DogGenerator.Record in
      var record = generator.next()
      record.id += 10_000_000
      return record
    }
    return beside(
      "c-create", "create with 7 values", 1, count,
      prepare: {
        if realm.isInWriteTransaction { realm.cancelWrite() }
        realm.beginWrite()
      },
      typed: { for record in records { realm.add(Dog(record)) } },
      c: { create(numbers, records) }, end: { realm.cancelWrite() })
  }

  private func beside(
    _ work: String, _ title: String, _ limit: Double, _ count: Int, prepare: () -> Void, typed: () -> Void,
    c: () -> Void, end: () -> Void = {}
  ) -> Measurement {
    var (own, swift) = (Samples(), Samples())
    for round in 0..<max(repetitions, 5) {
      for isC in round.isMultiple(of: 2) ? [true, false] : [false, true] {
        prepare()
        let seconds = Stopwatch.seconds(of: isC ? c : typed) / Double(count)
        if isC { own.append(seconds) } else { swift.append(seconds) }
      }
    }
    end()
    let typedMedian = swift.median ?? 0
    var row = Measurement(
      work: work,
      title: "C: \(title) (typed Swift: \((typedMedian * 1e10).rounded() / 10) ns, limit \(limit) × that)",
      unit: .nanoseconds, target: .atMost(limit * typedMedian))
    row.figures[.openRealm] = own.median
    log.samples([.openRealm: own], of: work, unit: .nanoseconds)
    return row
  }
}
