import Foundation
import Testing

@testable import RealmSwift

@Suite struct ObjectIdGenerationTests {
  @Test func carriesTheCurrentSecond() {
    let before = Date().timeIntervalSince1970.rounded(.down)
    let stamp = ObjectId.generate().timestamp.timeIntervalSince1970
    let after = Date().timeIntervalSince1970
    #expect(before <= stamp && stamp <= after)
  }

  @Test func sharesFiveBytesWithinTheProcess() {
    let origins = Set((0..<100).map { _ in ObjectId.generate().stringValue.dropFirst(8).prefix(10) })
    #expect(origins.count == 1)
  }

  @Test func countsInItsLastThreeBytes() {
    let counts = (0..<100).map { _ in Int(ObjectId.generate().stringValue.suffix(6), radix: 16)! }
    for (earlier, later) in zip(counts, counts.dropFirst()) {
      // Tests that run at the same time take numbers in between; 2^23 of them would be needed to mislead.
      #expect(1..<0x80_0000 ~= (later - earlier + 0x100_0000) % 0x100_0000)
    }
  }

  @Test func theFieldsHaveTheirPlaces() {
    let id = ObjectId(seconds: 0x0102_0304, origin: 0x05_0607_0809, counter: 0xFF0A_0B0C)
    #expect(id.stringValue == "0102030405060708090a0b0c")
  }

  @Test func isUniqueAcrossThreads() async {
    let ids = await withTaskGroup(of: [ObjectId].self) { group in
      for _ in 0..<16 {
        group.addTask { (0..<10_000).map { _ in .generate() } }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(ids.count == 160_000)
    #expect(Set(ids).count == 160_000)
  }

  @Test func aForkedProcessDrawsItsOwnBytes() async {
    // In a process of its own: forking the test runner would copy its threads' locks.
    await #expect(processExitsWith: .success) {
      let parentOrigin = ObjectId.generate().stringValue.dropFirst(8).prefix(10)
      var pipe: [Int32] = [0, 0]
      precondition(Foundation.pipe(&pipe) == 0)
      let child = fork()
      if child == 0 {
        var bytes = [UInt8](repeating: 0, count: ObjectId.byteCount)
        ObjectId.generate().store(to: &bytes)
        _exit(write(pipe[1], bytes, bytes.count) == bytes.count ? 0 : 1)
      }
      var bytes = [UInt8](repeating: 0, count: ObjectId.byteCount)
      precondition(child > 0 && read(pipe[0], &bytes, bytes.count) == bytes.count)
      var status: Int32 = 0
      precondition(waitpid(child, &status, 0) == child && status == 0)
      let childOrigin = ObjectId(bytes: bytes).stringValue.dropFirst(8).prefix(10)
      precondition(childOrigin != parentOrigin, "parent and child would make the same identifiers")
    }
  }
}
