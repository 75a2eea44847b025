import TestSupport
import Testing

@testable import Storage

/// A catalogue and its bytes.
@Suite struct CatalogueCodingTests {
  private func randomCatalogue(_ random: inout SeededGenerator) -> Catalogue {
    let types: [ValueType] = [.int, .bool, .string, .data, .date, .float, .double, .mixed, .uuid]
    return Catalogue(
      schemaVersion: random.next() % 1_000,
      tables: (0..<Int.random(in: 0..<6, using: &random)).map { table in
        TableDescription(
          name: "Table \(table)", isEmbedded: Bool.random(using: &random),
          columns: (0..<Int.random(in: 0..<9, using: &random)).map { column in
            Column(
              name: "Column \(column)", type: types.randomElement(using: &random)!,
              collection: [.none, .none, .list, .set, .map].randomElement(using: &random)!,
              isNullable: Bool.random(using: &random))
          })
      })
  }

  @Test(arguments: [61, 62] as [UInt64])
  func bytesBecomeTheSameCatalogue(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for stamp in 1..<300 as Range<UInt64> {
      let catalogue = randomCatalogue(&random)
      let bytes = catalogue.encoded(stamp: stamp)
      bytes.withUnsafeBytes { #expect(Catalogue($0) == catalogue) }
    }
  }

  /// Whatever is cut off or changed, there is a catalogue or none, and no crash.
  @Test func damagedBytesAreNoneOrOne() {
    var random = SeededGenerator(seed: 63)
    var rejected = 0
    for _ in 0..<500 {
      var bytes = randomCatalogue(&random).encoded(stamp: 1)
      if Bool.random(using: &random) {
        bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
      } else {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 0x81
      }
      bytes.withUnsafeBytes { if Catalogue($0) == nil { rejected += 1 } }
    }
    #expect(rejected > 100)
  }
}
