/// The chunk that stands for one that is not in the file: all zero, or all null. Columns that were added to a
/// table with rows, and rows that were never written, are read from it.
enum ConstantChunk {
  static func chunk(_ layout: ChunkLayout, isNullable: Bool) -> UnsafeRawPointer {
    UnsafeRawPointer(bitPattern: chunks[Int(layout.rawValue) * 2 + (isNullable ? 1 : 0)])!
  }

  // Addresses, because raw pointers are not Sendable; never freed.
  private static let chunks: [UInt] = (0..<14).map { number in
    UInt(bitPattern: make(ChunkLayout(rawValue: UInt8(number / 2))!, isNullable: number % 2 == 1))
  }

  private static func make(_ layout: ChunkLayout, isNullable: Bool) -> UnsafeMutableRawPointer {
    let nulls = ChunkHeader.size + WideChunk.valuesSize(layout)
    let size = nulls + chunkBitmapSize
    let base = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    base.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    let encoding: ChunkEncoding =
      switch layout {
      case .integer: .integer0
      case .bits: .bits
      case .float: .float32
      case .double: .float64
      case .fixed12: .fixed12
      case .fixed16: .fixed16
      case .bytes: .heap
      }
    base.storeBytes(of: encoding.rawValue, as: UInt8.self)
    if !isNullable {
      base.storeBytes(of: ChunkFlags.hasStatistics, toByteOffset: ChunkHeader.flags, as: UInt8.self)
    }
    base.storeBytes(of: UInt16(chunkCapacity), toByteOffset: ChunkHeader.valueCount, as: UInt16.self)
    if layout == .bytes {
      let lengthsAndGroups = chunkCapacity + chunkCapacity / 16 * 4
      base.storeBytes(
        of: UInt32(ChunkHeader.size + lengthsAndGroups), toByteOffset: ChunkHeader.heapOffset, as: UInt32.self
      )
    }
    if isNullable {
      base.storeBytes(of: UInt32(nulls), toByteOffset: ChunkHeader.nullBitmapOffset, as: UInt32.self)
      base.storeBytes(of: UInt16(chunkCapacity), toByteOffset: ChunkHeader.nullCount, as: UInt16.self)
      for index in 0..<chunkBitmapSize {
        base.storeBytes(of: 0xFF, toByteOffset: nulls + index, as: UInt8.self)
      }
    }
    return base
  }
}
