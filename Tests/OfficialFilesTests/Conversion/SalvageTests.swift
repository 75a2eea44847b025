import Foundation
import OfficialConversion
import TestSupport
import Testing

@testable import OfficialFiles
@testable import Storage

/// What is sound in a damaged official file arrives in a sound file of this library.
struct SalvageTests {
  private let folder = ScratchFolder()

  @Test(arguments: [Sample.types, .collections, .schema, .encrypted])
  func aSalvagedFileIsSound(sample: Sample) throws {
    let bytes = try sample.bytes()
    var random = SeededGenerator(printing: 77)
    var lossy = 0
    for number in 0..<TestLength.count(25, long: 1_000) {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 8_192..<max(8_193, bytes.count), using: &random) % bytes.count
        let length = Int.random(in: 1...64, using: &random)
        for byte in place..<min(place + length, bytes.count) {
          damaged[byte] = .random(in: 0...255, using: &random)
        }
      }
      let (old, new) = (folder.path("old\(number).realm"), folder.path("new\(number).realm"))
      try Data(damaged).write(to: URL(fileURLWithPath: old))
      do {
        let (report, losses) = try OfficialConversion.salvage(from: old, key: sample.key, to: new)
        let found = try FileVerification(path: new, encryptionKey: sample.key)
        #expect(found.faults.isEmpty, "\(sample.name) \(number): \(found.faults)")
        #expect(found.objectCount == report.objectCount)
        if !losses.isEmpty { lossy += 1 }
      } catch is OfficialFileError {}
    }
    #expect(lossy > 0)
  }

  @Test func objectsWithTheSamePrimaryKeyStay() throws {
    var builder = FileBuilder()
    builder.format = 9
    let table = builder.oldTable([.init(name: "id", type: 0, roots: [builder.integers([7, 8, 7])])])
    let keys = builder.oldTable([
      .init(name: "pk_table", type: 2, roots: [builder.strings(["A"])]),
      .init(name: "pk_property", type: 2, roots: [builder.strings(["id"])]),
    ])
    let bytes = builder.file([("class_A", table), ("pk", keys)])
    let (old, new) = (folder.path("old.realm"), folder.path("new.realm"))
    try Data(bytes).write(to: URL(fileURLWithPath: old))
    #expect(throws: OfficialFileError.self) {
      try OfficialConversion.run(from: old, to: folder.path("strict.realm"))
    }
    let (report, losses) = try OfficialConversion.salvage(from: old, to: new)
    #expect(report.objectCount == 3)
    #expect(
      losses.all.map { losses.description(of: $0) } == [
        "A.id: lost the primary key: two objects have the same primary key"
      ])
    let catalogue = try Snapshot(file: DatabaseFile.open(path: new)).catalogue
    #expect(catalogue.tables[0].columns[0].isPrimaryKey == false)
  }
}
