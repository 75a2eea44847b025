import Foundation
import TestSupport
import Testing

@testable import RealmSwift

class WeatherReport: Object {
  @Persisted(primaryKey: true) var code = AirportCode(persistedValue: "aaa")!
  @Persisted var mood: PetMood
  @Persisted var optionalMood: PetMood?
  @Persisted(indexed: true) var rank: PetRank
  @Persisted var moods: List<PetMood>
  @Persisted var optionalMoods: List<PetMood?>
  @Persisted var ranks: MutableSet<PetRank>
  @Persisted var rankByName: Map<String, PetRank>
  @Persisted var temperature: Celsius
  @Persisted var optionalTemperature: Celsius?
  @Persisted var temperatures: List<Celsius>
  @Persisted var temperatureSet: MutableSet<Celsius>
  @Persisted var temperatureByCity: Map<String, Celsius>
  @Persisted var optionalCode: AirportCode?
  @Persisted var point: PlanePoint
  @Persisted var optionalPoint: PlanePoint?
  @Persisted var points: List<PlanePoint>
}

@Suite struct CustomTypeTests {
  let scratch: ScratchRealm
  var realm: Realm { scratch.realm }

  init() throws { scratch = try ScratchRealm(opening: [WeatherReport.self, PlanePointRecord.self]) }

  @Test func defaults() {
    let weather = WeatherReport()
    #expect(weather.mood == .content && weather.rank == .low)
    #expect(weather.optionalMood == nil && weather.optionalTemperature == nil && weather.optionalPoint == nil)
    #expect(weather.temperature == Celsius(degrees: 0))
    #expect(weather.point == PlanePoint(x: 0, y: 0))
    #expect(PetMood() == .content)
    #expect(PetRank.low < .middle && PetRank.high > .middle && PetMood.asleep < .content)
  }

  private func fill(_ weather: WeatherReport) {
    weather.mood = .asleep
    weather.optionalMood = .hungry
    weather.rank = .high
    weather.moods.append(objectsIn: [.hungry, .content])
    weather.optionalMoods.append(objectsIn: [nil, .asleep])
    weather.ranks.insert(objectsIn: [.high, .low, .high])
    weather.rankByName["x"] = .middle
    weather.temperature = Celsius(degrees: 20.5)
    weather.optionalTemperature = Celsius(degrees: -1)
    weather.temperatures.append(objectsIn: [Celsius(degrees: 1), Celsius(degrees: 2)])
    weather.temperatureSet.insert(objectsIn: [Celsius(degrees: 1), Celsius(degrees: 1)])
    weather.temperatureByCity["Oslo"] = Celsius(degrees: 3)
    weather.optionalCode = AirportCode(persistedValue: "xyz")
    weather.point = PlanePoint(x: 1, y: 2)
    weather.optionalPoint = PlanePoint(x: 3, y: 4)
    weather.points.append(objectsIn: [PlanePoint(x: 5, y: 6), PlanePoint(x: 7, y: 8)])
  }

  private func check(_ weather: WeatherReport) {
    #expect(weather.mood == .asleep && weather.optionalMood == .hungry && weather.rank == .high)
    #expect(Array(weather.moods) == [.hungry, .content])
    #expect(Array(weather.optionalMoods) == [nil, .asleep])
    #expect(Set(weather.ranks) == [.low, .high])
    #expect(weather.rankByName["x"] == .middle)
    #expect(weather.temperature.degrees == 20.5 && weather.optionalTemperature?.degrees == -1)
    #expect(weather.temperatures.map(\.degrees) == [1, 2])
    #expect(weather.temperatureSet.map(\.degrees) == [1])
    #expect(weather.temperatureByCity["Oslo"]?.degrees == 3)
    #expect(weather.optionalCode?.letters == "xyz")
    #expect(weather.point == PlanePoint(x: 1, y: 2) && weather.optionalPoint == PlanePoint(x: 3, y: 4))
    #expect(Array(weather.points) == [PlanePoint(x: 5, y: 6), PlanePoint(x: 7, y: 8)])
  }

  @Test func unmanagedThenAdded() throws {
    let weather = WeatherReport()
    fill(weather)
    check(weather)
    try realm.write { realm.add(weather) }
    check(weather)
  }

  @Test func managed() throws {
    let weather = WeatherReport()
    try realm.write {
      realm.add(weather)
      fill(weather)
    }
    check(weather)
    try realm.write {
      weather.optionalMood = nil
      weather.optionalTemperature = nil
      weather.optionalCode = nil
      weather.optionalPoint = nil
    }
    #expect(weather.optionalMood == nil && weather.optionalTemperature == nil)
    #expect(weather.optionalCode == nil && weather.optionalPoint == nil)
  }

  @Test func embeddedRecordsAreReplaced() throws {
    let weather = WeatherReport()
    try realm.write {
      realm.add(weather)
      for x in 0..<5 { weather.point = PlanePoint(x: Double(x), y: 0) }
    }
    let table = realm.core.classTable(PlanePointRecord.self).table
    #expect(table.state.pointee.liveCount == 1)
    #expect(weather.point.x == 4)
  }

  @Test func lookUpByCustomPrimaryKeyAndByRaw() throws {
    try realm.write {
      _ = realm.create(
        WeatherReport.self, value: ["code": "abc", "rank": 9, "mood": "hungry"] as [String: Any])
    }
    #expect(realm.object(ofType: WeatherReport.self, forPrimaryKey: "abc")?.rank == .high)
    #expect(
      realm.object(ofType: WeatherReport.self, forPrimaryKey: AirportCode(persistedValue: "abc"))?.mood
        == .hungry)
    #expect(realm.object(ofType: WeatherReport.self, forPrimaryKey: "abd") == nil)
  }

  /// Stores texts and numbers that the enum and the custom type do not have.
  private static func storeStrangers(_ realm: Realm) -> WeatherReport {
    let weather = WeatherReport()
    try! realm.write {
      realm.add(weather)
      let dynamic = realm.dynamicObjects("WeatherReport").first!
      dynamic["optionalMood"] = "angry"
      dynamic["mood"] = "angry"
      dynamic["optionalCode"] = "toolong"
    }
    return weather
  }

  @Test func unknownStoredValuesAreNilInOptionals() {
    let weather = Self.storeStrangers(realm)
    #expect(weather.optionalMood == nil && weather.optionalCode == nil)
    #expect(realm.dynamicObjects("WeatherReport").first?["optionalMood"] as? String == "angry")
  }

  @Test func unknownEnumValueStopsTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = try ScratchRealm(opening: [WeatherReport.self, PlanePointRecord.self])
      _ = Self.storeStrangers(scratch.realm).mood
    }
    expectStop(
      result, saying: "Failed to convert persisted value 'angry' to type 'PetMood' in a non-optional context."
    )
  }

  @Test func unknownCustomValueStopsTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = try ScratchRealm(opening: [WeatherReport.self, PlanePointRecord.self])
      let weather = WeatherReport()
      try scratch.realm.write {
        scratch.realm.add(weather)
        weather._table.setString(0, weather._row, "long text")
      }
      _ = weather.code
    }
    expectStop(
      result,
      saying: "Failed to convert persisted value 'long text' to type 'AirportCode' in a non-optional context."
    )
  }

  @Test func rawValuesOfNoCaseAreStored() throws {
    let weather = WeatherReport()
    try realm.write {
      realm.add(weather)
      weather.setValue("angry", forKey: "optionalMood")
      weather["optionalCode"] = "toolong"
      weather.setValue(77, forKey: "rank")
    }
    #expect(weather.optionalMood == nil && weather.optionalCode == nil)
    #expect(weather.value(forKey: "optionalMood") == nil)
    let dynamic = try #require(realm.dynamicObjects("WeatherReport").first)
    #expect(dynamic.optionalMood as? String == "angry" && dynamic.optionalCode as? String == "toolong")
    #expect(dynamic.rank as? Int == 77)
    // One that is made from a value, in memory and in a realm.
    #expect(WeatherReport(value: ["code": "abc", "optionalMood": "angry"]).optionalMood == nil)
    try realm.write {
      let other = realm.create(
        WeatherReport.self, value: ["code": "abc", "optionalMood": "angry"] as [String: Any])
      #expect(other.optionalMood == nil)
    }
    #expect(realm.dynamicObjects("WeatherReport").filter("optionalMood == 'angry'").count == 2)
  }

  @Test func nullForARequiredTypeOverAnEmbeddedObjectIsItsDefault() throws {
    let weather = WeatherReport(value: ["code": "abc", "point": NSNull()] as [String: Any])
    #expect(weather.point == PlanePoint(x: 0, y: 0))
    try realm.write {
      realm.add(weather)
      weather.point = PlanePoint(x: 1, y: 2)
      weather.setValue(nil, forKey: "point")
    }
    #expect(weather.point == PlanePoint(x: 0, y: 0))
    #expect(realm.dynamicObjects("WeatherReport").first?.point == nil)
    try realm.write {
      let other = realm.create(
        WeatherReport.self, value: ["code": "abd", "point": NSNull()] as [String: Any])
      #expect(other.point == PlanePoint(x: 0, y: 0))
    }
  }

  @Test func elementThatCanNotBeConvertedStopsTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      class Timetable: Object {
        @Persisted var codes: List<AirportCode>
      }
      let scratch = try ScratchRealm(opening: [Timetable.self])
      let table = Timetable()
      try scratch.realm.write {
        scratch.realm.add(table)
        (scratch.realm.dynamicObjects("Timetable").first!.codes as! List<String>).append("1")
      }
      _ = table.codes[0]
    }
    expectStop(result, saying: "Could not convert value '1' to type 'AirportCode'.")
  }

  @Test func elementOfNoCaseStopsTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = try ScratchRealm(opening: [WeatherReport.self, PlanePointRecord.self])
      let weather = WeatherReport()
      try scratch.realm.write {
        scratch.realm.add(weather)
        (scratch.realm.dynamicObjects("WeatherReport").first!.moods as! List<String>).append("angry")
      }
      for mood in weather.moods { _ = mood }
    }
    expectStop(result, saying: "Could not convert value 'angry' to type 'PetMood'.")
  }

  @Test func failingDefaultStopsTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      class Undefaulted: Object {
        @Persisted var code: AirportCode
      }
      _ = Undefaulted().code
    }
    expectStop(
      result,
      saying:
        "Failed to default construct a AirportCode using the default value for persisted type String. This conversion must either succeed, the property must be optional, or you must explicitly specify a default value for the property."
    )
  }

  @Test func sortingAndAggregatesByWhatIsStored() throws {
    try realm.write {
      for (code, rank, degrees) in [("aaa", PetRank.high, 3.0), ("bbb", .low, 1), ("ccc", .middle, 2)] {
        let weather = WeatherReport(value: ["code": code])
        weather.rank = rank
        weather.temperature = Celsius(degrees: degrees)
        realm.add(weather)
      }
    }
    let all = realm.objects(WeatherReport.self)
    #expect(all.sorted(by: \.rank).map(\.rank) == [.low, .middle, .high])
    #expect(all.sorted(by: \.temperature, ascending: false).map(\.temperature.degrees) == [3, 2, 1])
    #expect(all.max(of: \.rank) == .high)
    #expect(all.where { $0.rank == .middle }.map(\.code.letters) == ["ccc"])
  }
}
