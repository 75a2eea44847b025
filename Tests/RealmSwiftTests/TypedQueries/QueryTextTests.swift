import Foundation
import RealmSwift
import Testing

/// The predicate text and the arguments that typed queries stand for.
struct QueryTextTests {
  private typealias Root = Query<QueryThing>

  private func check(
    _ text: String, _ arguments: [Any], _ condition: (Query<QueryThing>) -> Query<Bool>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let (found, foundArguments) = Query<Bool>.text(condition)
    #expect(found == text, sourceLocation: sourceLocation)
    #expect(
      foundArguments.map { "\($0)" } == arguments.map { "\($0)" }, sourceLocation: sourceLocation)
    // The text means the same to the parser, whichever way the arguments come.
    #expect(
      NSPredicate(format: found, argumentArray: foundArguments)
        == NSPredicate(format: text, argumentArray: arguments), sourceLocation: sourceLocation)
  }

  @Test func comparisons() {
    check("(int == %@)", [1]) { $0.int == 1 }
    check("(int != %@)", [1]) { $0.int != 1 }
    check("(int < %@)", [1]) { $0.int < 1 }
    check("(int <= %@)", [1]) { $0.int <= 1 }
    check("(int > %@)", [1]) { $0.int > 1 }
    check("(int >= %@)", [1]) { $0.int >= 1 }
    check("(optInt == %@)", [NSNull()]) { $0.optInt == nil }
    check("(optInt != %@)", [7]) { $0.optInt != 7 }
    check("(link.int == %@)", [1]) { $0.link.int == 1 }
    check("(link.link.string == %@)", ["a"]) { $0.link.link.string == "a" }
    check("(link == %@)", [NSNull()]) { $0.link == nil }
    check("(mood == %@)", [QueryMood.merry]) { $0.mood == .merry }
    check("(mood == %@)", ["merry"]) { $0.mood.rawValue == "merry" }
    check("(optRank > %@)", [1]) { $0.optRank.rawValue > 1 }
    check("(length < %@)", [QueryLength(metres: 2)]) { $0.length < QueryLength(metres: 2) }
    check("(length < %@)", [2.5]) { $0.length.persistableValue < 2.5 }
    check("(int == link.int)", []) { $0.int == $0.link.int }
    check("(int8 IN %@)", [[1, 2] as [Int8]]) { $0.int8.in([1, 2]) }
    check("(optString IN %@)", [["a", nil] as [String?]]) { $0.optString.in(["a", nil]) }
    check("(SELF == %@)", [3]) { _ in Query<Int>._constructForTesting() == 3 }
  }

  /// A path is one to a collection when its values are, whatever property they are computed from.
  @Test func valuesThatAreComputedFromProperties() {
    check("(list == %@)", [2]) { $0[dynamicMember: \.list.count] == 2 }
    check("(string == %@)", [2]) { $0[dynamicMember: \.string.count] == 2 }
    check("(list.int == %@)", [2]) { $0[dynamicMember: \.list[0].int] == 2 }
    check("(ANY list.list.int == %@)", [2]) { $0[dynamicMember: \.list[0].list].int == 2 }
    check("(ANY list.ints == %@)", [2]) { $0[dynamicMember: \.list[0].ints] == 2 }
  }

  @Test func ranges() {
    check("((int >= %@) && (int < %@))", [1, 5]) { $0.int.contains(1..<5) }
    check("(int BETWEEN {%@, %@})", [1, 5]) { $0.int.contains(1...5) }
    check("(optDouble BETWEEN {%@, %@})", [1.5, 5.5]) { $0.optDouble.contains(1.5...5.5) }
    check("((optDouble >= %@) && (optDouble < %@))", [1.5, 5.5]) { $0.optDouble.contains(1.5..<5.5) }
    check("(NOT int BETWEEN {%@, %@})", [1, 5]) { !$0.int.contains(1...5) }
    check("NOT ((int >= %@) && (int < %@))", [1, 5]) { !$0.int.contains(1..<5) }
    check("((ints.@min >= %@) && (ints.@max < %@))", [1, 5]) { $0.ints.contains(1..<5) }
    check("((ints.@min >= %@) && (ints.@max <= %@))", [1, 5]) { $0.ints.contains(1...5) }
    check("((optInts.@min >= %@) && (optInts.@max <= %@))", [1, 5]) { $0.optInts.contains(1...5) }
    check("((intMap.@min >= %@) && (intMap.@max <= %@))", [1, 5]) { $0.intMap.contains(1...5) }
    check("(ANY list.int BETWEEN {%@, %@})", [1, 5]) { $0.list.int.contains(1...5) }
  }

  @Test func compounds() {
    check("bool == true", []) { $0.bool }
    check("link.bool == false", []) { !$0.link.bool }
    check("(NOT ANY list.bool == true)", []) { !$0.list.bool }
    check("(bool == %@)", [true]) { $0.bool == true }
    check("(NOT bool == %@)", [true]) { !($0.bool == true) }
    check("((int == %@) && bool == true)", [0]) { $0.int == 0 && $0.bool }
    check("((int == %@) || bool == false)", [0]) { $0.int == 0 || !$0.bool }
    check("(NOT int == %@)", [0]) { !($0.int == 0) }
    check("(int == %@)", [0]) { !(!($0.int == 0)) }
    check("NOT ((int == %@) && (int8 == %@))", [0, 1]) { !($0.int == 0 && $0.int8 == 1) }
    check("(((int == %@) && (int8 == %@)) && (int16 == %@))", [0, 1, 2]) {
      $0.int == 0 && $0.int8 == 1 && $0.int16 == 2
    }
    check("((int == %@) && ((int8 == %@) && (int16 == %@)))", [0, 1, 2]) {
      $0.int == 0 && ($0.int8 == 1 && $0.int16 == 2)
    }
    check("(((int == %@) || (int8 == %@)) && (int16 == %@))", [0, 1, 2]) {
      ($0.int == 0 || $0.int8 == 1) && $0.int16 == 2
    }
    check("((int == %@) || ((int8 == %@) && (int16 == %@)))", [0, 1, 2]) {
      $0.int == 0 || $0.int8 == 1 && $0.int16 == 2
    }
    check("(NOT ((int == %@) || bool == true) && (NOT int8 == %@))", [0, 1]) {
      !($0.int == 0 || $0.bool) && !($0.int8 == 1)
    }
  }

  @Test func strings() {
    check("(string LIKE %@)", ["a*"]) { $0.string.like("a*") }
    check("(string LIKE[c] %@)", ["a*"]) { $0.string.like("a*", caseInsensitive: true) }
    check("(string CONTAINS %@)", ["a"]) { $0.string.contains("a") }
    check("(string CONTAINS[c] %@)", ["a"]) { $0.string.contains("a", options: .caseInsensitive) }
    check("(optString BEGINSWITH[d] %@)", ["a"]) {
      $0.optString.starts(with: "a", options: .diacriticInsensitive)
    }
    check("(string ENDSWITH[cd] %@)", ["a"]) {
      $0.string.ends(with: "a", options: [.caseInsensitive, .diacriticInsensitive])
    }
    check("(string ==[c] %@)", ["a"]) { $0.string.equals("a", options: [.caseInsensitive]) }
    check("(string !=[cd] %@)", ["a"]) {
      $0.string.notEquals("a", options: [.caseInsensitive, .diacriticInsensitive])
    }
    check("(NOT string CONTAINS %@)", ["a"]) { !$0.string.contains("a") }
    check("(string CONTAINS link.string)", []) { $0.string.contains($0.link.string) }
    check("(string LIKE[c] link.string)", []) { $0.string.like($0.link.string, caseInsensitive: true) }
    check("(string < %@)", ["a"]) { $0.string < "a" }
    check("(data CONTAINS %@)", [Data([1])]) { $0.data.contains(Data([1])) }
    check("(mood CONTAINS %@)", ["er"]) { $0.mood.rawValue.contains("er") }
    check("(any CONTAINS[c] %@)", [AnyRealmValue.string("a")]) {
      $0.any.contains(.string("a"), options: .caseInsensitive)
    }
  }

  @Test func collections() {
    check("(ANY ints == %@)", [1]) { $0.ints == 1 }
    check("(ANY ints != %@)", [1]) { $0.ints != 1 }
    check("(ANY doubleSet > %@)", [1.5]) { $0.doubleSet > 1.5 }
    check("(%@ IN ints)", [1]) { $0.ints.contains(1) }
    check("(NOT %@ IN strings)", ["a"]) { !$0.strings.contains("a") }
    check("(ANY ints IN %@)", [[1, 2]]) { $0.ints.containsAny(in: [1, 2]) }
    check("(ANY intMap IN %@)", [[1, 2]]) { $0.intMap.containsAny(in: [1, 2]) }
    check("(%@ IN intMap)", [1]) { $0.intMap.contains(1) }
    check("(ints.@count == %@)", [2]) { $0.ints.count == 2 }
    check("(link.list.@count == %@)", [2]) { $0.link.list.count == 2 }
    check("(map.@count > %@)", [2]) { $0.map.count > 2 }
    check("(ints.@min == %@)", [2]) { $0.ints.min == 2 }
    check("(doubles.@max == %@)", [2.5]) { $0.doubles.max == 2.5 }
    check("(ints.@avg == %@)", [2]) { $0.ints.avg == 2 }
    check("(intMap.@sum == %@)", [2]) { $0.intMap.sum == 2 }
    check("(list.@sum.int > %@)", [5]) { $0.list.int.sum > 5 }
    check("(link.list.@avg.double > %@)", [5.5]) { $0.link.list.double.avg > 5.5 }
    check("(linkers.@min.int > %@)", [5]) { $0.linkers.int.min > 5 }
    check("(ANY list.int == %@)", [1]) { $0.list.int == 1 }
    check("(ANY list.link.string == %@)", ["a"]) { $0.list.link.string == "a" }
    check("(ANY list.ints == %@)", [1]) { $0.list.ints == 1 }
    check("(ANY list.list.@count == %@)", [1]) { $0.list.list.count == 1 }
    check("ANY list.bool == true", []) { $0.list.bool }
    check("(ANY holders.int == %@)", [1]) { $0.holders.int == 1 }
    check("(ANY moods == %@)", ["sad"]) { $0.moods.rawValue == "sad" }
    check("(ANY lengths > %@)", [1.5]) { $0.lengths.persistableValue > 1.5 }
    check("(ANY places.x > %@)", [1.5]) { $0.places.persistableValue.x > 1.5 }
    check("(place.x > %@)", [1.5]) { $0.place.persistableValue.x > 1.5 }
    check("(optPlace.label == %@)", ["a"]) { $0.optPlace.persistableValue.label == "a" }
    check("(ANY optRanks == %@)", [2]) { $0.optRanks.rawValue == 2 }
    check("(embedded.x > %@)", [1.5]) { $0.embedded.x > 1.5 }
    check("(embedded == %@)", [NSNull()]) { $0.embedded == nil }
    check("(ANY embeddedList.x > %@)", [1.5]) { $0.embeddedList.x > 1.5 }
  }

  @Test func maps() {
    check("(ANY intMap.@allKeys == %@)", ["a"]) { $0.intMap.keys == "a" }
    check("(ANY intMap.@allKeys BEGINSWITH[c] %@)", ["a"]) {
      $0.intMap.keys.starts(with: "a", options: .caseInsensitive)
    }
    check("(ANY intMap.@allValues > %@)", [1]) { $0.intMap.values > 1 }
    check("(ANY stringMap.@allValues CONTAINS[c] %@)", ["x"]) {
      $0.stringMap.values.contains("x", options: .caseInsensitive)
    }
    check("(intMap[%@] == %@)", ["a", 1]) { $0.intMap["a"] == 1 }
    check("(NOT intMap[%@] == %@)", ["a", 1]) { !($0.intMap["a"] == 1) }
    check("((intMap[%@] >= %@) && (intMap[%@] < %@))", ["a", 1, "a", 3]) { $0.intMap["a"].contains(1..<3) }
    check("(ANY map.@allValues.int == %@)", [1]) { $0.map.values.int == 1 }
    check("(rankMap[%@] == %@)", ["a", 1]) { $0.rankMap.rawValue["a"] == 1 }
    check("(lengthMap[%@] == %@)", ["a", 1.5]) { $0.lengthMap.persistableValue["a"] == 1.5 }
    check("(ANY list.intMap[%@] == %@)", ["a", 1]) { $0.list.intMap["a"] == 1 }
  }

  @Test func mixedValues() {
    check("(any == %@)", [AnyRealmValue.int(1)]) { $0.any == .int(1) }
    check("(any > %@)", [AnyRealmValue.double(2)]) { $0.any > .double(2) }
    check("(any[%@] == %@)", [0, AnyRealmValue.int(1)]) { $0.any[0] == .int(1) }
    check("(any[%@][%@][%K] == %@)", [0, "k", "#any", AnyRealmValue.int(1)]) {
      $0.any[0]["k"].any == .int(1)
    }
    check("(any[%K][%K] != %@)", ["#any", "#any", AnyRealmValue.none]) { $0.any.any.any != .none }
    check("(anyMap[%@] == %@)", ["k", AnyRealmValue.string("v")]) { $0.anyMap["k"] == .string("v") }
  }

  @Test func subqueries() {
    check("(SUBQUERY(list, $col1, ($col1.int != %@)).@count > %@)", [1, 0]) { ($0.list.int != 1).count > 0 }
    check("(SUBQUERY(list, $col1, (($col1.int > %@) && ($col1.string == %@))).@count == %@)", [1, "a", 2]) {
      ($0.list.int > 1 && $0.list.string == "a").count == 2
    }
    check(
      "((SUBQUERY(list, $col1, ($col1.int != %@)).@count > %@) || (SUBQUERY(set, $col2, (NOT $col2.int != %@)).@count < %@))",
      [1, 0, 2, 3]
    ) { ($0.list.int != 1).count > 0 || (!($0.set.int != 2)).count < 3 }
    check(
      "(SUBQUERY(list, $col1, (($col1.int == %@) && (SUBQUERY(list, $col2, ($col2.int8 == %@)).@count >= %@))).@count > %@)",
      [1, 2, 3, 4]
    ) { ($0.list.int == 1 && ($0.list.int8 == 2).count >= 3).count > 4 }
    check("(SUBQUERY(list, $col1, (($col1.int == %@) && (string == %@))).@count > %@)", [1, "a", 0]) {
      ($0.list.int == 1 && $0.string == "a").count > 0
    }
    check("(SUBQUERY(list, $col1, (ANY $col1.list.int == %@)).@count > %@)", [1, 0]) {
      ($0.list.list.int == 1).count > 0
    }
    check("(SUBQUERY(list, $col1, ($col1.int BETWEEN {%@, %@})).@count > %@)", [1, 2, 0]) {
      $0.list.int.contains(1...2).count > 0
    }
    check("(SUBQUERY(map, $col1, $col1.bool == false).@count > %@)", [0]) { (!$0.map.values.bool).count > 0 }
    check("(SUBQUERY(linkers, $col1, ($col1.link.int == %@)).@count > %@)", [3, 0]) {
      ($0.linkers.link.int == 3).count > 0
    }
  }
}
