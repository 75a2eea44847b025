/// Walks through the bytes of a mixed value without making anything of them.
struct MixedCheck {
  /// Whether a row can be linked to.
  let isRow: (_ table: Int, _ row: Int) -> Bool

  /// A list or dictionary that is being looked through.
  private struct Collection {
    var reader: ByteReader
    var rest: Int
    let hasKeys: Bool
  }

  /// Whether the bytes are a value, and no more.
  func isSound(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var open: [Collection] = []
    guard check(bytes, &open) else { return false }
    while var innermost = open.popLast() {
      if innermost.rest == 0 {
        if !innermost.reader.isAtEnd { return false }
        continue
      }
      innermost.rest -= 1
      if innermost.hasKeys, innermost.reader.readSized() == nil { return false }
      guard let element = innermost.reader.readSized() else { return false }
      open.append(innermost)
      if !check(element, &open) { return false }
    }
    return true
  }

  /// Looks at a value, but not into a collection.
  private func check(_ bytes: UnsafeRawBufferPointer, _ open: inout [Collection]) -> Bool {
    var reader = ByteReader(bytes)
    guard let tag = reader.read(UInt8.self) else { return false }
    switch tag {
    case Value.nullTag: return !open.isEmpty && reader.isAtEnd
    default:
      if NestedHeader.begins(bytes) { return begin(bytes, &open) }
      guard let type = ValueType(rawValue: tag) else { return false }
      return isSound(type, &reader)
    }
  }

  private func begin(_ bytes: UnsafeRawBufferPointer, _ open: inout [Collection]) -> Bool {
    var reader = ByteReader(bytes)
    guard open.count < NestedDecoding.deepestNesting, let header = NestedHeader(&reader) else { return false }
    open.append(Collection(reader: reader, rest: header.count, hasKeys: header.hasKeys))
    return true
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
