import Foundation
import RealmSwift
import Testing

/// Every type in every shape: what goes in comes out, in memory, managed, and from a file that is opened anew.
@Suite struct RoundTripTests {
  static let allShapes: [any PropertyShapes.Type] = [
    IntShapes.self, Int8Shapes.self, Int16Shapes.self, Int32Shapes.self, Int64Shapes.self, BoolShapes.self,
    FloatShapes.self, DoubleShapes.self, StringShapes.self, DataShapes.self, DateShapes.self,
    ObjectIdShapes.self, UUIDShapes.self, Decimal128Shapes.self, WeekdayShapes.self, SuitShapes.self,
    CelsiusShapes.self, CountryCodeShapes.self,
  ]

  // MARK: Single values

  @Test(arguments: allShapes)
  func valueInMemory(_ shapes: any PropertyShapes.Type) {
    func check<Row: PropertyShapes>(_: Row.Type) {
      let row = Row()
      #expect(row.optional == nil)
      for sample in Row.samples {
        row.required = sample
        row.optional = sample
        expect(row, required: sample, optional: sample)
        row.optional = nil
        #expect(row.optional == nil)
      }
    }
    check(shapes)
  }

  @Test(arguments: allShapes)
  func valueAddedWithItsObject(_ shapes: any PropertyShapes.Type) throws {
    func check<Row: PropertyShapes>(_: Row.Type) throws {
      let file = ScratchRealm([Row.self])
      try file.write { realm in
        for (number, sample) in Row.samples.enumerated() {
          let row = Row()
          row.required = sample
          row.optional = number % 3 == 2 ? nil : sample
          realm.add(row)
          expect(row, required: sample, optional: number % 3 == 2 ? nil : sample)
        }
      }
      try file.read { realm in
        let rows = realm.objects(Row.self)
        #expect(rows.count == Row.samples.count)
        for (number, sample) in Row.samples.enumerated() {
          expect(rows[number], required: sample, optional: number % 3 == 2 ? nil : sample)
        }
      }
    }
    try check(shapes)
  }

  @Test(arguments: allShapes)
  func valueAssignedToManagedObject(_ shapes: any PropertyShapes.Type) throws {
    func check<Row: PropertyShapes>(_: Row.Type) throws {
      let file = ScratchRealm([Row.self])
      let count = Row.samples.count
      try file.write { realm in
        for _ in 0..<count { #expect(realm.create(Row.self).optional == nil) }
      }
      // Every sample follows every other kind of value: the next sample, and null.
      for round in 0..<3 {
        func required(_ number: Int) -> Row.Value { Row.samples[(number + round) % count] }
        func optional(_ number: Int) -> Row.Value? {
          (number + round) % 3 == 0 ? nil : Row.samples[(number + 2 * round) % count]
        }
        try file.write { realm in
          for (number, row) in realm.objects(Row.self).enumerated() {
            row.required = required(number)
            row.optional = optional(number)
            expect(row, required: required(number), optional: optional(number))
          }
        }
        try file.read { realm in
          for (number, row) in realm.objects(Row.self).enumerated() {
            expect(row, required: required(number), optional: optional(number))
          }
        }
      }
    }
    try check(shapes)
  }

  @Test(arguments: allShapes)
  func valueRolledBack(_ shapes: any PropertyShapes.Type) throws {
    func check<Row: PropertyShapes>(_: Row.Type) throws {
      let file = ScratchRealm([Row.self])
      let realm = try file.open()
      let row = Row()
      for (number, old) in Row.samples.enumerated() {
        let new = Row.samples[(number + 1) % Row.samples.count]
        try realm.write {
          if row.realm == nil { realm.add(row) }
          row.required = old
          row.optional = old
        }
        realm.beginWrite()
        row.required = new
        row.optional = number % 2 == 0 ? nil : new
        realm.cancelWrite()
        expect(row, required: old, optional: old)
      }
    }
    try check(shapes)
  }

  @Test(arguments: allShapes)
  func everythingFromValues(_ shapes: any PropertyShapes.Type) throws {
    func check<Row: PropertyShapes>(_: Row.Type) throws {
      let file = ScratchRealm([Row.self])
      let samples = Row.samples
      let optionals: [Row.Value?] = [nil] + samples
      let entries = Dictionary(uniqueKeysWithValues: samples.enumerated().map { ("key\($0)", $1) })
      let optionalEntries = Dictionary(uniqueKeysWithValues: optionals.enumerated().map { ("key\($0)", $1) })
      let dictionary: [String: Any] = [
        "required": samples[0], "optional": samples[1], "list": samples, "optionalList": optionals,
        "set": samples, "optionalSet": optionals, "map": entries, "optionalMap": optionalEntries,
      ]
      let array: [Any] = [
        samples[0], samples[1], samples, optionals, samples, optionals, entries, optionalEntries,
      ]
      func expectAll(_ row: Row) {
        expect(row, required: samples[0], optional: samples[1])
        #expect(Row.identities(row.list) == Row.identities(samples))
        #expect(Row.identities(row.optionalList) == Row.identities(optionals))
        #expect(Set(Row.identities(row.set)) == Set(Row.identities(samples)))
        #expect(Set(Row.identities(row.optionalSet)) == Set(Row.identities(optionals)))
        expect(row.map, is: entries, Row.identity)
        expect(row.optionalMap, is: optionalEntries, Row.identity)
      }
      try file.write { realm in
        realm.add(Row(value: dictionary))
        realm.add(Row(value: array))
        realm.create(Row.self, value: dictionary)
        realm.create(Row.self, value: array)
        realm.create(Row.self, value: Row(value: dictionary))
        realm.create(Row.self, value: realm.objects(Row.self)[0])
        realm.objects(Row.self).forEach(expectAll)
      }
      try file.read { realm in
        #expect(realm.objects(Row.self).count == 6)
        realm.objects(Row.self).forEach(expectAll)
      }
    }
    try check(shapes)
  }

  // MARK: Collections

  @Test(arguments: allShapes)
  func list(_ shapes: any PropertyShapes.Type) throws {
    func check<Row: PropertyShapes>(_: Row.Type) throws {
      let file = ScratchRealm([Row.self])
      let samples = Row.samples
      let optionals: [Row.Value?] = samples.flatMap { [nil, $0, nil] }
      let fill = { (row: Row) in
        for sample in samples { row.list.append(sample) }
        row.optionalList.append(objectsIn: optionals)
      }
      func expectAll(_ row: Row) {
        #expect(Row.identities(row.list) == Row.identities(samples))
        #expect(Row.identities(row.optionalList) == Row.identities(optionals))
        #expect(row.list.count == samples.count)
        for (position, sample) in samples.enumerated() {
          #expect(Row.identity(row.list[position]) == Row.identity(sample))
          #expect(Row.identity(row.optionalList[3 * position + 1]) == Row.identity(sample))
        }
      }
      try file.write { realm in
        let row = Row()
        fill(row)
        expectAll(row)
        realm.add(row)
        expectAll(row)
        fill(realm.create(Row.self))
        // The same values in reverse, each put where it belongs.
        let reversed = realm.create(Row.self)
        for sample in samples.reversed() { reversed.list.insert(sample, at: 0) }
        for value in optionals.reversed() { reversed.optionalList.insert(value, at: 0) }
        realm.create(Row.self)
        realm.objects(Row.self).prefix(3).forEach(expectAll)
      }
      try file.read { realm in
        let rows = realm.objects(Row.self)
        rows.prefix(3).forEach(expectAll)
        #expect(rows[3].list.isEmpty)
        #expect(rows[3].optionalList.isEmpty)
      }
      try file.write { realm in
        let row = realm.objects(Row.self)[0]
        for position in samples.indices { row.list[position] = samples[samples.count - 1 - position] }
        row.optionalList.removeAll()
      }
      try file.read { realm in
        let row = realm.objects(Row.self)[0]
        #expect(Row.identities(row.list) == Row.identities(samples.reversed()))
        #expect(row.optionalList.isEmpty)
      }
    }
    try check(shapes)
  }

  @Test(arguments: allShapes)
  func set(_ shapes: any PropertyShapes.Type) throws {
    func check<Row: PropertyShapes>(_: Row.Type) throws {
      let file = ScratchRealm([Row.self])
      let samples = Row.samples
      let optionals: [Row.Value?] = [nil] + samples
      let fill = { (row: Row) in
        for sample in samples + samples { row.set.insert(sample) }
        row.optionalSet.insert(objectsIn: optionals + optionals)
      }
      func expectAll(_ row: Row) {
        #expect(Set(Row.identities(row.set)) == Set(Row.identities(samples)))
        #expect(Set(Row.identities(row.optionalSet)) == Set(Row.identities(optionals)))
        #expect(row.set.count == samples.count)
        #expect(row.optionalSet.count == optionals.count)
        for sample in samples { #expect(row.set.contains(sample)) }
        for value in optionals { #expect(row.optionalSet.contains(value)) }
      }
      try file.write { realm in
        let row = Row()
        fill(row)
        expectAll(row)
        realm.add(row)
        expectAll(row)
        fill(realm.create(Row.self))
        realm.create(Row.self)
        realm.objects(Row.self).prefix(2).forEach(expectAll)
      }
      try file.read { realm in
        let rows = realm.objects(Row.self)
        rows.prefix(2).forEach(expectAll)
        // In the file's order, which does not depend on the order of insertion.
        #expect(Row.identities(rows[0].set) == Row.identities(rows[1].set))
        #expect(rows[2].set.isEmpty)
      }
      try file.write { realm in
        let row = realm.objects(Row.self)[0]
        for sample in samples.dropFirst() { row.set.remove(sample) }
        row.optionalSet.remove(nil)
      }
      try file.read { realm in
        let row = realm.objects(Row.self)[0]
        #expect(Row.identities(row.set) == Row.identities(samples.prefix(1)))
        #expect(Set(Row.identities(row.optionalSet)) == Set(Row.identities(samples)))
      }
    }
    try check(shapes)
  }

  @Test(arguments: allShapes)
  func map(_ shapes: any PropertyShapes.Type) throws {
    func check<Row: PropertyShapes>(_: Row.Type) throws {
      let file = ScratchRealm([Row.self])
      let entries = Dictionary(uniqueKeysWithValues: Row.samples.enumerated().map { ("\($0) key", $1) })
      var optionals: [String: Row.Value?] = entries.mapValues { $0 }
      optionals.updateValue(nil, forKey: "")
      let fill = { (row: Row) in
        for (key, value) in entries { row.map[key] = value }
        for (key, value) in optionals { row.optionalMap.updateValue(value, forKey: key) }
      }
      func expectAll(_ row: Row) {
        expect(row.map, is: entries, Row.identity)
        expect(row.optionalMap, is: optionals, Row.identity)
        #expect(row.map[""] == nil)
        #expect(row.optionalMap[""] == .some(nil))
      }
      try file.write { realm in
        let row = Row()
        fill(row)
        expectAll(row)
        realm.add(row)
        expectAll(row)
        fill(realm.create(Row.self))
        realm.create(Row.self)
        realm.objects(Row.self).prefix(2).forEach(expectAll)
      }
      try file.read { realm in
        let rows = realm.objects(Row.self)
        rows.prefix(2).forEach(expectAll)
        #expect(rows[0].map.keys == entries.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        #expect(rows[2].map.count == 0)
      }
      try file.write { realm in
        let row = realm.objects(Row.self)[0]
        row.map["0 key"] = nil
        row.optionalMap[""] = Row.samples[0]
        row.optionalMap["0 key"] = .some(nil)
      }
      try file.read { realm in
        let row = realm.objects(Row.self)[0]
        #expect(row.map.count == entries.count - 1)
        #expect(row.map["0 key"] == nil)
        #expect(Row.identity(row.optionalMap[""] ?? nil) == Row.identity(Row.samples[0]))
        #expect(row.optionalMap["0 key"] == .some(nil))
      }
    }
    try check(shapes)
  }

  // MARK: Helpers

  private func expect<Row: PropertyShapes>(
    _ row: Row, required: Row.Value, optional: Row.Value?, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(Row.identity(row.required) == Row.identity(required), sourceLocation: sourceLocation)
    #expect(Row.identity(row.optional) == Row.identity(optional), sourceLocation: sourceLocation)
  }

  private func expect<Value>(
    _ map: Map<String, Value>, is expected: [String: Value], _ identity: (Value) -> String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(map.count == expected.count, sourceLocation: sourceLocation)
    for (key, value) in expected {
      #expect(map[key].map(identity) == identity(value), sourceLocation: sourceLocation)
    }
    for entry in map {
      #expect(expected[entry.key].map(identity) == identity(entry.value), sourceLocation: sourceLocation)
    }
  }
}
