import Foundation
import PagesTestSupport
import TestSupport
import Testing

@testable import Pages

/// A damaged file never shows a wrong value: it says so when it is opened, or when the damage is touched.
@Suite struct PageDamageTests {
  private let folder = ScratchFolder()

  @Test func damageIsFoundAtFirstTouch() throws {
    var random = SeededGenerator(printing: .random(in: 0..<1 << 32))
    var found: [String: Int] = [:]
    for file in 0..<TestLength.count(4, long: 400) {
      let workload = try Workload(
        folder.path(file % 2 == 0 ? "\(file).pages" : "\(file)-sealed.pages"),
        SeededGenerator(seed: random.next()), keys: 200)
      var older: [[UInt8]] = []
      for step in 0..<300 {
        try workload.step()
        if step % 30 == 0 { older.append(Array(try Data(contentsOf: URL(filePath: workload.path)))) }
      }
      let newest = workload.stores[0].memory[.newest]
      try workload.end()
      let sound = Array(try Data(contentsOf: URL(filePath: workload.path)))
      for _ in 0..<250 {
        var image = sound
        for _ in 0...Int.random(in: 0..<3, using: &random) { damage(&image, older, &random) }
        found[try outcome(image, workload, newest), default: 0] += 1
      }
    }
    print("damaged files: \(found)")
    #expect(found["found when touched", default: 0] > 0)
    #expect(found["found when opened", default: 0] > 0)
  }

  /// A copy is verified as a whole when it is opened. One that is damaged is not opened at an older version instead.
  @Test func aDamagedCopyLosesNothing() throws {
    let path = folder.path("original.pages")
    let options = PageStore.Options(mapLimit: 1 << 28, chainLimit: 3, smallSize: 0)
    let store = try PageStore(path: path, options: options)
    for _ in 0..<50 { try ScriptedTransactions.perform(store, .full) }
    let hit = store.memory.published(store.memory[.newest]).root.unit
    try store.close()
    let copy = folder.path("copy.pages")
    var bytes = Array(try Data(contentsOf: URL(filePath: path)))
    bytes[Int(hit) * FileLayout.unit + 20] ^= 1
    try Data(bytes).write(to: URL(filePath: copy))
    for _ in 0..<2 {
      #expect(throws: PageError.damaged("no version is whole")) {
        try PageStore(path: copy, options: options)
      }
      #expect(Array(try Data(contentsOf: URL(filePath: copy))) == bytes)
    }
    bytes[Int(hit) * FileLayout.unit + 20] ^= 1
    try replaceFile(copy, bytes)
    let mended = try PageStore(path: copy, options: options)
    var script = ScriptedTransactions()
    #expect(try PageVersion.with(mended) { try script.check($0) } == 50)
    try mended.close()
  }

  @Test func aTruncatedFileIsNotOpened() throws {
    let path = folder.path("truncated.pages")
    let options = PageStore.Options(mapLimit: 1 << 28, chainLimit: 3, smallSize: 0)
    let store = try PageStore(path: path, options: options)
    // The 97th is large.
    for _ in 0..<97 { try ScriptedTransactions.perform(store, .relaxed) }
    try store.close()
    let bytes = Array(try Data(contentsOf: URL(filePath: path)))
    for part in [0.25, 0.5, 0.75, 0.9] {
      truncate(path, off_t(Double(bytes.count) * part))
      #expect(throws: PageError.truncated, "\(part)") { try PageStore(path: path, options: options) }
      try replaceFile(path, bytes)
    }
    let whole = try PageStore(path: path, options: options)
    var script = ScriptedTransactions()
    #expect(try PageVersion.with(whole) { try script.check($0) } == 97)
    try whole.close()
  }

  private func damage(_ image: inout [UInt8], _ older: [[UInt8]], _ random: inout SeededGenerator) {
    func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    let size = below(3) == 0 ? 4096 : 512
    let first = below(image.count / size) * size
    let second = below(image.count / size) * size
    switch below(6) {
    case 0:
      let place = below(3) == 0 ? below(4) * 4096 + below(512) : below(image.count)
      image[place] ^= 1 << UInt8(below(8))
    case 1: for place in first..<first + size { image[place] = 0 }
    case 2: for place in 0..<size { image.swapAt(first + place, second + place) }
    case 3, 4:
      let old = older[below(older.count)]
      if first + size <= old.count { for place in first..<first + size { image[place] = old[place] } }
    default:
      if below(8) == 0 {
        image.removeLast(below(image.count / 2) & ~511)
      } else {
        for place in first..<first + size { image[place] = UInt8(truncatingIfNeeded: place &* 167 >> 3) }
      }
    }
  }

  private func outcome(_ image: [UInt8], _ workload: Workload, _ newest: UInt64) throws -> String {
    try replaceFile(workload.path, image)
    guard let store = try? PageStore(path: workload.path, options: workload.options) else {
      return "found when opened"
    }
    defer { try? store.close() }
    return try PageVersion.with(store) { version in
      do {
        // A file whose newest record was hit is an older version, under a number that may be the newest one's.
        let found = try workload.contentsFound(version, 0)
        return found.contents == workload.contents[newest]! ? "not hit" : "older"
      } catch is PageError { return "found when touched" }
    }
  }
}
