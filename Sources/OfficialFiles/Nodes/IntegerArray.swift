/// The elements of an integer array, read where they lie.
///
/// Invariant: `base` has as many bytes as `count` elements of `width` bits need.
struct IntegerArray {
  /// No array in a sound file has more without any bytes.
  private static let largestFreeCount = 65_536

  let count: Int
  /// Where the node begins.
  let reference: Int
  private let base: UnsafeRawPointer
  private let width: UInt8
  private let isUnsigned: Bool

  /// - Parameter isUnsigned: Whether 8, 16 and 32 bits are no signed numbers; less never are.
  init(_ node: Node, isUnsigned: Bool = false) throws {
    guard !node.hasReferences, !node.isInner else { throw node.damage("references where numbers belong") }
    try self.init(elementsOf: node, isUnsigned: isUnsigned)
  }

  /// Creates an array of the elements of any node.
  init(elementsOf node: Node, isUnsigned: Bool = false) throws {
    guard node.widthType == .bits || node.count == 0 else { throw node.damage("this is no array of numbers") }
    guard node.width > 0 || node.count <= Self.largestFreeCount else {
      throw node.damage("\(node.count) elements in no bytes")
    }
    count = node.count
    reference = node.reference
    base = node.payload
    width = UInt8(node.width)
    self.isUnsigned = isUnsigned
  }

  /// Whether the elements need no bytes: any number of them could be claimed.
  var isFree: Bool { width == 0 }

  subscript(index: Int) -> Int64 {
    precondition(index >= 0 && index < count)
    switch width {
    case 0: return 0
    case 1: return Int64((byte(index >> 3) >> UInt8(index & 7)) & 1)
    case 2: return Int64((byte(index >> 2) >> UInt8((index & 3) << 1)) & 3)
    case 4: return Int64((byte(index >> 1) >> UInt8((index & 1) << 2)) & 15)
    case 8: return isUnsigned ? Int64(byte(index)) : Int64(Int8(bitPattern: byte(index)))
    case 16:
      let value = UInt16(littleEndian: base.load(fromByteOffset: index << 1, as: UInt16.self))
      return isUnsigned ? Int64(value) : Int64(Int16(bitPattern: value))
    case 32:
      let value = UInt32(littleEndian: base.load(fromByteOffset: index << 2, as: UInt32.self))
      return isUnsigned ? Int64(value) : Int64(Int32(bitPattern: value))
    default: return Int64(littleEndian: base.load(fromByteOffset: index << 3, as: Int64.self))
    }
  }

  /// An element at a place that the file names.
  func element(_ index: Int64) throws -> Int64 {
    guard index >= 0 && index < Int64(count) else {
      throw damage("it has \(count) elements, and no \(index)")
    }
    return self[Int(index)]
  }

  func damage(_ what: String) -> Damage { Damage(what, at: reference) }

  private func byte(_ offset: Int) -> UInt8 { base.load(fromByteOffset: offset, as: UInt8.self) }
}
