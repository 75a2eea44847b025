import PagesTestSupport
import TestSupport
import Testing

@testable import Pages

/// How large a file becomes whose extents come and go.
@Suite struct FreeSpaceTests {
  private let folder = ScratchFolder()

  /// Short values that share a block, and long ones that need several side by side, are replaced at random, by transactions that
  /// write more than a few blocks.
  @Test(arguments: ["random.pages", "random-sealed.pages"], TestLength.seeds([1, 2, 3], short: 1))
  func aFileIsLittleLargerThanWhatIsInUse(name: String, seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let path = folder.path("\(seed)-\(name)")
    let options = PageStore.Options(mapLimit: 1 << 30, smallSize: 1 << 20, key: encryptionKey(path))
    let store = try PageStore(path: path, options: options)
    let count = 3000
    var contents: TestContents = [:]
    var stamp: UInt32 = 0
    func replace(_ number: Int, _ transaction: PageTransaction) throws {
      stamp += 1
      let size = number % 12 == 0 ? Int.random(in: 5000...20_000, using: &random) : 500 + number % 1000
      let value = TestValue(stamp: stamp, size: size)
      try key(number).withUnsafeBytes { value.write(try transaction.reserve($0, size)) }
      contents[number] = value
    }
    let first = try PageTransaction(store)
    for number in 0..<count { try replace(number, first) }
    try first.commit(.full)
    for round in 0..<1500 {
      let transaction = try PageTransaction(store)
      for _ in 0..<20 { try replace(Int.random(in: 0..<count, using: &random), transaction) }
      try transaction.commit(round % 20 == 0 ? .full : .relaxed)
    }
    #expect(store.end * 10 <= store.usedSize * 17, "\(store.usedSize) of \(store.end) bytes are in use")
    try PageVersion.with(store) { try check(.version($0), contents) }
    try store.close()
  }
}
