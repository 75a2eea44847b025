import TestSupport
import Testing

@testable import OfficialFiles

/// A file with some bytes of its nodes changed.
struct Mutant {
  let bytes: [UInt8]

  /// The nodes of a sound file.
  struct Original {
    let bytes: [UInt8]
    let nodes: [Node]

    init(_ bytes: [UInt8]) throws {
      self.bytes = bytes
      nodes = try bytes.withUnsafeBytes { buffer in
        let header = try FileHeader(buffer)
        let space = NodeSpace(base: buffer.baseAddress!, end: header.end)
        var nodes: [Node] = []
        var rest = [try #require(header.top)]
        while let reference = rest.popLast() {
          let node = try space.node(at: reference)
          nodes.append(node)
          if !node.hasReferences { continue }
          let slots = try References(node)
          rest += try (0..<slots.count).compactMap {
            slots.isNumber($0) ? nil : try slots.reference(ifAny: $0)
          }
        }
        return nodes
      }
    }
  }

  init(_ original: Original, using random: inout SeededGenerator) {
    var bytes = original.bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      Self.change(&bytes, original, using: &random)
    }
    self.bytes = bytes
  }

  private static func change(
    _ bytes: inout [UInt8], _ original: Original, using random: inout SeededGenerator
  ) {
    let node = original.nodes.randomElement(using: &random)!
    let other = original.nodes.randomElement(using: &random)!
    let end = min(node.reference + node.size, bytes.count)
    guard node.reference + 8 <= bytes.count else { return }
    let place = Int.random(in: node.reference..<end, using: &random)
    switch Int.random(in: 0..<9, using: &random) {
    case 0: bytes[place] = .random(in: 0...255, using: &random)
    case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    // Flags and counts.
    case 2: bytes[node.reference + 4] = .random(in: 0...255, using: &random)
    case 3:
      bytes[node.reference + Int.random(in: 5...7, using: &random)] = .random(in: 0...255, using: &random)
    case 4: bytes[node.reference + 7] &+= Bool.random(using: &random) ? 1 : 255
    // Another node in its place.
    case 5:
      // Either may have lost its end by now.
      for offset in 0..<min(node.size, other.size)
      where max(node.reference, other.reference) + offset < bytes.count {
        bytes[node.reference + offset] = bytes[other.reference + offset]
      }
    // A reference to another node, as wide as they are mostly.
    case 6:
      let width = [2, 4].randomElement(using: &random)!
      let slot = place & ~(width - 1)
      for byte in 0..<width where slot + byte < bytes.count {
        bytes[slot + byte] = UInt8(truncatingIfNeeded: other.reference >> (8 * byte))
      }
    case 7:
      let value: UInt8 = Bool.random(using: &random) ? 0 : 255
      for offset in place..<min(place + 8, end) { bytes[offset] = value }
    default:
      if Int.random(in: 0..<8, using: &random) == 0 {
        bytes.removeLast(Int.random(in: 0..<bytes.count / 2, using: &random) & ~7)
      } else {
        bytes[Int.random(in: 0..<24, using: &random)] = .random(in: 0...255, using: &random)
      }
    }
  }
}

extension OfficialFile {
  /// A file that is only in memory.
  convenience init(_ bytes: [UInt8]) throws {
    try self.init(path: "mutant", FileContent(bytes))
  }
}

extension FileContent {
  convenience init(_ bytes: [UInt8]) throws {
    // Errors name it.
    let file = try OpenFile(#filePath)
    let memory = try FileContent.allocate(max(bytes.count, 1), file)
    memory.copyBytes(from: bytes)
    self.init(mapped: UnsafeRawBufferPointer(rebasing: memory[..<bytes.count]), source: nil)
  }
}
