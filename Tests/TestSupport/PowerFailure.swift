public import Foundation

/// Takes back what the disk need not have when the power fails: all versions of a file that are newer than the durable one.
///
/// Layout as in `Pages`: units of 512 bytes, of which those that begin with `magic` are records, with their version behind 32
/// bytes; in the lock file a word that says which of two places the durable version is in, which begins with its number.
public struct PowerFailure {
  private static let unit = 512
  private static let magic: UInt64 = 0x3573_6567_6150_524F
  private static let turnPlace = 112
  private static let durablePlaces = 2048
  private static let durableSize = 128

  private let durable: UInt64

  /// Finds out what the disk has of an open file.
  ///
  /// - Parameter path: Of the file.
  public init(of path: String) throws {
    let memory = try Data(contentsOf: URL(filePath: path + "-lock"))
    let turn = Self.word(memory, Self.turnPlace) & 1
    durable = Self.word(memory, Self.durablePlaces + Int(turn) * Self.durableSize)
  }

  private static func word(_ bytes: Data, _ offset: Int) -> UInt64 {
    bytes.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
  }

  /// Changes what the file has to what the disk has.
  public func apply(to image: inout Data) {
    for start in stride(from: 0, to: image.count - Self.unit + 1, by: Self.unit)
    where Self.word(image, start) == Self.magic && Self.word(image, start + 32) > durable {
      image.resetBytes(in: start..<start + Self.unit)
    }
  }
}
