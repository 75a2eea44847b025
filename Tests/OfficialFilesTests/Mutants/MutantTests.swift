import Foundation
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
    try attack(sample.bytes(), count: TestLength.count(short, long: long), sample.name)
  }

  @Test func tablesBeforeFormat10() throws {
    let bytes = FileBuilder.oldFile()
    #expect(try OfficialFile(bytes).readAll() == 39)
    try attack(bytes, count: TestLength.count(3_000, long: 200_000), "format 9")
  }

  private func attack(_ bytes: [UInt8], count: Int, _ name: String) throws {
    var random = SeededGenerator(printing: 20_240_611)
    let original = try Mutant.Original(bytes)
    var outcomes: [String: Int] = [:]
    for number in 0..<count {
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
    print("\(name): \(outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" })")
    #expect(outcomes["values", default: 0] > 0 && outcomes["damaged", default: 0] > 0)
  }

  /// A changed bit is found by the authentication of its page, or lies where nobody reads.
  @Test func encryptedFiles() throws {
    var random = SeededGenerator(printing: 7)
    let folder = ScratchFolder()
    let path = folder.path("mutant.realm")
    let original = try Sample.encrypted.bytes()
    let count = try Sample.encrypted.open().readAll()
    var refused = 0
    for _ in 0..<TestLength.count(60, long: 2_000) {
      var bytes = original
      bytes[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      do {
        #expect(try OfficialFile(path: path, key: Sample.encrypted.key).readAll() == count)
      } catch is OfficialFileError { refused += 1 }
    }
    #expect(refused > 0)
  }
}

extension OfficialFileError {
  fileprivate var kind: String {
    switch reason {
    case .damaged: "damaged"
    case .newerFormat: "newer"
    case .unsupported: "unsupported"
    default: "\(reason)"
    }
  }
}
