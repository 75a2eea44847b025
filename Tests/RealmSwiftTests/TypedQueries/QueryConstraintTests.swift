import Foundation
import RealmSwift
import Testing

/// Code that is generic over the types of properties, as programs write it.
struct QueryConstraintTests {
  private func text(_ condition: (Query<QueryThing>) -> Query<Bool>) -> String {
    Query<Bool>.text(condition).0
  }

  private func newer<T: _Persistable>(_ query: Query<T>, than value: T) -> Query<Bool>
  where T.PersistedType: _QueryNumeric { query > value }

  private func before<T: _Persistable>(_ query: Query<T>, _ value: T) -> Query<Bool>
  where T.PersistedType: _QueryString { query <= value && query.like(value) }

  private func begins<T: _Persistable>(_ query: Query<T>, with value: T) -> Query<Bool>
  where T.PersistedType: _QueryBinary { query.starts(with: value) && query < value }

  private func within<T: OptionalProtocol>(_ query: Query<T>, _ range: ClosedRange<T.Wrapped>) -> Query<Bool>
  where T.Wrapped: Comparable { query.contains(range) }

  private func within<T: OptionalProtocol>(_ query: Query<T>, _ range: Range<T.Wrapped>) -> Query<Bool>
  where T.Wrapped: Comparable { query.contains(range) }

  private func spans<T: RealmCollection>(
    _ query: Query<T>, _ range: ClosedRange<T.Element.Wrapped>
  ) -> Query<Bool> where T.Element: OptionalProtocol, T.Element.Wrapped: Comparable { query.contains(range) }

  private func total<T: RealmCollection>(_ query: Query<T>, above value: T.Element) -> Query<Bool>
  where T.Element: _Persistable, T.Element.PersistedType: _QueryNumeric { query.sum > value }

  @Test func constraintsOfWhatIsStored() {
    #expect(text { newer($0.int, than: 1) } == "(int > %@)")
    #expect(text { newer($0.optDouble, than: 1) } == "(optDouble > %@)")
    #expect(text { newer($0.length, than: QueryLength(metres: 1)) } == "(length > %@)")
    #expect(text { before($0.string, "a") } == "((string <= %@) && (string LIKE %@))")
    #expect(text { before($0.optString, nil) } == "((optString <= %@) && (optString LIKE %@))")
    #expect(text { begins($0.string, with: "a") } == "((string BEGINSWITH %@) && (string < %@))")
    #expect(text { total($0.ints, above: 3) } == "(ints.@sum > %@)")
  }

  @Test func rangesOfOptionals() {
    #expect(text { within($0.optInt, 1...2) } == "(optInt BETWEEN {%@, %@})")
    #expect(text { within($0.optInt, 1..<2) } == "((optInt >= %@) && (optInt < %@))")
    #expect(text { spans($0.optInts, 1...5) } == "((optInts.@min >= %@) && (optInts.@max <= %@))")
  }

  @Test func columnsOfDifferentOptionality() {
    #expect(text { $0.optString.contains($0.string) } == "(optString CONTAINS string)")
    #expect(
      text { $0.string.contains($0.optString, options: .caseInsensitive) } == "(string CONTAINS[c] optString)"
    )
    #expect(text { $0.optString.starts(with: $0.string) } == "(optString BEGINSWITH string)")
    #expect(text { $0.string.ends(with: $0.optString) } == "(string ENDSWITH optString)")
    #expect(
      text { $0.optString.equals($0.string, options: .diacriticInsensitive) } == "(optString ==[d] string)")
    #expect(text { $0.string.notEquals($0.optString) } == "(string != optString)")
    #expect(text { $0.optString.like($0.string, caseInsensitive: true) } == "(optString LIKE[c] string)")
  }

  @Test func columnsOfDifferentOptionalityAreCompared() throws {
    let table = try QueryTable()
    table.check(
      { $0.optString.contains($0.string) },
      { thing in !thing.string.isEmpty && thing.optString?.contains(thing.string) == true })
    table.check(
      { $0.string.equals($0.optString, options: []) }, { thing in thing.optString == thing.string })
  }
}
