/// Walks through the bytes of a mixed value without making anything of them.
struct MixedCheck {
  /// Whether a row can be linked to.
  let isRow: (_ table: Int, _ row: Int) -> Bool
  /// Collections are nested no deeper: more could not be read without overflowing the stack.
  static let deepestNesting = 256

  /// Whether the bytes are a value, and no more.
  func isSound(_ bytes: UnsafeRawBufferPointer, depth: Int = 0) -> Bool {
    var reader = ByteReader(bytes)
    guard let tag = reader.read(UInt8.self) else { return false }
    switch tag {
    case Value.nullTag: return depth > 0 && reader.isAtEnd
    case Value.listTag, Value.dictionaryTag:
      guard depth < Self.deepestNesting, let count = reader.read(UInt32.self) else { return false }
      for _ in 0..<count {
        if tag == Value.dictionaryTag, reader.readSized() == nil { return false }
        guard let element = reader.readSized(), isSound(element, depth: depth + 1) else { return false }
      }
      return reader.isAtEnd
    default:
      guard let type = ValueType(rawValue: tag) else { return false }
      return isSound(type, &reader)
    }
  }

  private func isSound(_ type: ValueType, _ reader: inout ByteReader) -> Bool {
    switch type {
    case .bool: return reader.remaining == 1
    case .float: return reader.remaining == 4
    case .int, .double, .date: return reader.remaining == 8
    case .string, .data: return true
    case .objectId: return reader.remaining == 12
    case .decimal128, .uuid: return reader.remaining == 16
    case .link:
      guard reader.remaining == 12, let table = reader.read(UInt32.self), let row = reader.read(UInt64.self),
        let row = Int(exactly: row)
      else { return false }
      return isRow(Int(table), row)
    case .mixed: return false
    }
  }
}
