import RealmSwift
import Testing

/// The search for embedded classes that contain themselves.
@Suite struct EmbeddedCycleTests {
  private static func name(_ number: Int) -> String { "Part\(number)" }

  /// Embedded classes each of which has two properties with objects of the next one.
  private static func chain(_ count: Int, last: [DescribedProperty]) -> [DescribedClass] {
    (0..<count).map { number in
      DescribedClass(
        name(number), embedded: true,
        number == count - 1
          ? last
          : [
            DescribedProperty("one", .object, of: name(number + 1)),
            DescribedProperty("many", .object, of: name(number + 1), in: .list),
          ])
    }
  }

  /// There are 2⁹⁹ paths.
  @Test func manyPathsWithoutACycleTakeNoTime() {
    #expect(DescribedClass.problems(of: Self.chain(100, last: [DescribedProperty("x", .int)])).isEmpty)
  }

  @Test func eachWayBackIsNamedOnceByItsShortestPath() {
    let count = 40
    let classes = Self.chain(count, last: [DescribedProperty("back", .object, of: Self.name(0))])
    let problems = DescribedClass.problems(of: classes)
    #expect(problems.count == 2 * (count - 1) + 1)
    let ones = Array(repeating: "one", count: count - 2).joined(separator: ".")
    for (first, path) in [("one", "Part0.one.\(ones).back"), ("many", "Part0.many.\(ones).back")] {
      #expect(
        problems.contains("Cycles containing embedded objects are not currently supported: '\(path)'"),
        "\(first)")
    }
  }

  @Test func classesThatOnlyLeadToACycleAreNotNamed() {
    let classes =
      Self.chain(3, last: [DescribedProperty("outside", .object, of: "Loop")]) + [
        DescribedClass(
          "Loop", embedded: true, [DescribedProperty("own", .object, of: "Loop", in: .map, optional: true)])
      ]
    #expect(
      DescribedClass.problems(of: classes)
        == ["Cycles containing embedded objects are not currently supported: 'Loop.own'"])
  }
}
