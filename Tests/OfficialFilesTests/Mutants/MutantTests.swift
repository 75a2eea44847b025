import TestSupport
import Testing

@testable import OfficialFiles

/// Damaged files end in values or a proper error, and need no more than sound ones of their size can.
struct MutantTests {
  @Test(arguments: [
    (Sample.schema, 1_000, 40_000), (.collections, 100, 30_000), (.types, 100, 15_000),
    (.streamed, 100, 15_000),
  ])
  func endInValuesOrErrors(sample: Sample, short: Int, long: Int) throws {
    var random = SeededGenerator(printing: 20_240_611)
    let original = try Mutant.Original(sample.bytes())
    var outcomes: [String: Int] = [:]
    for number in 0..<TestLength.count(short, long: long) {
      let mutant = Mutant(original, using: &random)
      do {
        let count = try OfficialFile(mutant.bytes).readAll()
        // Eight bytes can say a thousand values.
        #expect(count <= mutant.bytes.count * 125, "mutant \(number)")
        outcomes["values", default: 0] += 1
      } catch let error as OfficialFileError {
        outcomes[error.kind, default: 0] += 1
      }
    }
    print("\(sample.name): \(outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" })")
    #expect(outcomes["values", default: 0] > 0 && outcomes["damaged", default: 0] > 0)
  }
}

extension OfficialFileError {
  fileprivate var kind: String {
    if case .damaged = reason { "damaged" } else { "\(reason)" }
  }
}
