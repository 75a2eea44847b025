import Foundation
import RealmSwift
import TestSupport
import Testing

/// Values that need more care than a sample among others.
@Suite struct ExtremeValueTests {
  @Test func hundredMegabytesOfData() throws {
    let file = ScratchRealm([DataShapes.self])
    let size = 100 << 20
    let block = Data((0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) })
    var large = Data(capacity: size)
    for number in 0..<100 {
      large.append(block)
      large[large.count - 1] = UInt8(number)
    }
    #expect(large.count == size)
    try file.write { realm in
      let row = DataShapes()
      row.required = large
      row.optional = Data("small".utf8)
      realm.add(row)
      realm.create(DataShapes.self, value: ["required": Data([1])])
    }
    try file.read { realm in
      let rows = realm.objects(DataShapes.self)
      #expect(rows[0].required.count == size)
      #expect(rows[0].required == large)
      #expect(rows[0].optional == Data("small".utf8))
      #expect(rows[1].required == Data([1]))
    }
    // Replaced by a short one, and the other row by the long one.
    try file.write { realm in
      let rows = realm.objects(DataShapes.self)
      rows[1].optional = rows[0].required
      rows[0].required = Data()
    }
    try file.read { realm in
      let rows = realm.objects(DataShapes.self)
      #expect(rows[0].required.isEmpty)
      #expect(rows[1].optional == large)
    }
  }

  @Test func twentyMegabytesOfText() throws {
    let file = ScratchRealm([StringShapes.self])
    let text = String(repeating: "twenty megabytes 🐕 ", count: 1 << 20)
    try file.write { realm in
      realm.create(StringShapes.self, value: ["required": text, "list": ["short", text]])
    }
    try file.read { realm in
      let row = try #require(realm.objects(StringShapes.self).first)
      #expect(Data(row.required.utf8) == Data(text.utf8))
      #expect(row.list.count == 2)
      #expect(row.list[1].utf8.count == text.utf8.count)
      #expect(row.list[0] == "short")
    }
  }

  @Test func negativeZero() throws {
    let file = ScratchRealm([DoubleShapes.self, FloatShapes.self])
    try file.write { realm in
      let double = realm.create(DoubleShapes.self, value: ["required": -0.0, "optional": -0.0])
      double.list.append(-0.0)
      double.map["zero"] = -0.0
      let float = realm.create(FloatShapes.self, value: ["required": Float(-0.0)])
      float.list.append(-0.0)
    }
    try file.read { realm in
      let double = try #require(realm.objects(DoubleShapes.self).first)
      #expect(double.required.sign == .minus && double.required == 0)
      #expect(double.optional?.sign == .minus)
      #expect(double.list[0].sign == .minus)
      #expect(double.map["zero"]?.sign == .minus)
      let float = try #require(realm.objects(FloatShapes.self).first)
      #expect(float.required.sign == .minus && float.required == 0)
      #expect(float.list[0].sign == .minus)
    }
  }

  /// Dates keep every bit of what `Date` holds.
  @Test func datesBeyondTheCalendar() throws {
    let file = ScratchRealm([DateShapes.self])
    let seconds: [Double] = [
      1e300, -1e300, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 9.3e18, -9.3e18,
      0.1,
    ]
    try file.write { realm in
      let dates = seconds.map { Date(timeIntervalSinceReferenceDate: $0) }
      for date in dates {
        realm.create(DateShapes.self, value: ["required": date, "optional": date, "list": dates])
      }
    }
    try file.read { realm in
      for (number, row) in realm.objects(DateShapes.self).enumerated() {
        let values = (
          row.required.timeIntervalSinceReferenceDate, row.optional?.timeIntervalSinceReferenceDate
        )
        #expect(values.0 == seconds[number])
        #expect(values.1 == seconds[number])
        let listed = row.list.map(\.timeIntervalSinceReferenceDate)
        #expect(Array(listed) == seconds)
      }
    }
  }

  /// The dates that programs make come back to the last bit.
  @Test func presentDates() throws {
    let file = ScratchRealm([DateShapes.self])
    let seed = UInt64.random(in: 0...UInt64.max)
    print("presentDates seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let dates = (0..<500).map { _ in
      Date(timeIntervalSinceReferenceDate: Double.random(in: 600_000_000...1_000_000_000, using: &generator))
    }
    try file.write { realm in
      realm.create(DateShapes.self, value: ["list": dates])
      for date in dates { realm.create(DateShapes.self, value: ["required": date]) }
    }
    try file.read { realm in
      let rows = realm.objects(DateShapes.self)
      #expect(Array(rows[0].list) == dates)
      #expect(rows.dropFirst().map(\.required) == dates)
    }
  }

  @Test func oddMapKeys() throws {
    let keys = [
      "", " ", "a", "A", "ä", "a\u{308}", "日本", "🐕", "\0", "a\0b", "a b", "#$", "\u{10FFFF}", "key", "keys",
      String(repeating: "k", count: 128), String(repeating: "k", count: 600),
      String(repeating: "🐕", count: 5_000),
    ]
    let file = ScratchRealm([IntShapes.self])
    try file.write { realm in
      let row = realm.create(IntShapes.self)
      for (number, key) in keys.enumerated().reversed() { row.map[key] = number }
    }
    try file.read { realm in
      let map = try #require(realm.objects(IntShapes.self).first).map
      let ordered = keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      #expect(map.keys.map { Array($0.utf8) } == ordered.map { Array($0.utf8) })
      for (number, key) in keys.enumerated() { #expect(map[key] == number) }
      #expect(map["k"] == nil)
    }
  }

  /// Null, zero and nothing are three things.
  @Test func emptyIsNotNull() throws {
    let file = ScratchRealm([StringShapes.self, DataShapes.self, IntShapes.self])
    try file.write { realm in
      realm.create(StringShapes.self, value: ["optional": "", "optionalList": ["", nil] as [String?]])
      realm.create(DataShapes.self, value: ["optional": Data(), "optionalList": [Data(), nil] as [Data?]])
      realm.create(IntShapes.self, value: ["optional": 0, "optionalList": [0, nil] as [Int?]])
    }
    try file.read { realm in
      let strings = try #require(realm.objects(StringShapes.self).first)
      #expect(strings.optional == "")
      #expect(Array(strings.optionalList) == ["", nil])
      let data = try #require(realm.objects(DataShapes.self).first)
      #expect(data.optional == Data())
      #expect(Array(data.optionalList) == [Data(), nil])
      let ints = try #require(realm.objects(IntShapes.self).first)
      #expect(ints.optional == 0)
      #expect(Array(ints.optionalList) == [0, nil])
    }
  }

  /// A stored value that no case and no custom value has: nil where the property allows it.
  @Test func valuesThatDoNotConvert() throws {
    let file = ScratchRealm([CountryCodeShapes.self, WeekdayShapes.self])
    try file.write { realm in
      let codes = realm.dynamicCreate("CountryCodeShapes")
      codes["optional"] = "too long"
      let days = realm.dynamicCreate("WeekdayShapes", value: ["required": 5])
      days["optional"] = 77
    }
    try file.read { realm in
      let codes = try #require(realm.objects(CountryCodeShapes.self).first)
      #expect(codes.optional == nil)
      #expect(realm.dynamicObjects("CountryCodeShapes").first?["optional"] as? String == "too long")
      let days = try #require(realm.objects(WeekdayShapes.self).first)
      #expect(days.required == .friday)
      #expect(days.optional == nil)
    }
  }

  @Test func requiredValueThatDoesNotConvert() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try ScratchRealm([CountryCodeShapes.self]).open()
      try realm.write { realm.dynamicCreate("CountryCodeShapes")["required"] = "too long" }
      _ = realm.objects(CountryCodeShapes.self).first?.required
    }
    expectStop(
      result,
      saying: "Failed to convert persisted value 'too long' to type 'CountryCode' in a non-optional context.")
  }
}
