/// Changes the boot that a recovery record names, so that it is opened as after a failure of the system.
///
/// Layout as in `Storage`: at an offset of 512 bytes in each of the first two pages, in 64-bit words: magic, sequence,
/// pending, boot (2), meta page (17), checksum.
public enum RecordPatch {
  private static let pageSize = 4096
  private static let magic: UInt64 = 0x4F50_454E_5245_4353
  private static let wordCount = 23
  private static let bootWord = 4

  /// Changes a file's image.
  public static func apply(_ image: inout [UInt8]) {
    for page in 0..<2 {
      let start = page * pageSize + 512
      guard start + wordCount * 8 <= image.count else { return }
      image.withUnsafeMutableBytes { bytes in
        var words = (0..<wordCount).map {
          bytes.loadUnaligned(fromByteOffset: start + $0 * 8, as: UInt64.self)
        }
        // One of no boot counts in all of them.
        guard words[0] == magic, words[wordCount - 1] == checksum(words),
          words[bootWord - 1] | words[bootWord] != 0
        else { return }
        words[bootWord] ^= 0x5A5A
        words[wordCount - 1] = checksum(words)
        for (index, word) in words.enumerated() {
          bytes.storeBytes(of: word, toByteOffset: start + index * 8, as: UInt64.self)
        }
      }
    }
  }

  private static func checksum(_ words: [UInt64]) -> UInt64 {
    words.dropLast().reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ $1) &* 0x100_0000_01B3 }
  }
}
