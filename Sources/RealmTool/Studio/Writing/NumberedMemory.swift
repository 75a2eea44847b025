import RealmSwift
import Storage

/// Keeps the bytes of values on their way into a realm.
final class NumberedMemory {
  private var blocks: [UnsafeMutableRawBufferPointer] = []

  deinit { for block in blocks { block.deallocate() } }

  func bytes(_ source: some Collection<UInt8>) -> UnsafeRawBufferPointer {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: max(source.count, 1), alignment: 8)
    blocks.append(block)
    block.copyBytes(from: source)
    return UnsafeRawBufferPointer(rebasing: block[..<source.count])
  }

  /// The form of a value that the realm takes; lists and dictionaries are empty in it.
  func numbered(_ value: Value) -> NumberedValue {
    switch value {
    case .null: .null
    case .int(let number): .int(number)
    case .bool(let flag): .bool(flag)
    case .float(let number): .float(number)
    case .double(let number): .double(number)
    case .string(let text): .string(bytes(text.utf8))
    case .data(let data): .data(bytes(data))
    case .date(let seconds): .date(seconds)
    case .objectId(let id): .objectId(id)
    case .uuid(let uuid): .uuid(uuid)
    case .decimal128(let number): .decimal128(number)
    case .link(let table, let row): .object(NumberedObject(classNumber: table, row: row))
    case .list: .list
    case .dictionary: .map
    }
  }
}

extension Value {
  /// Whether it is a list or dictionary.
  var isNested: Bool {
    switch self {
    case .list, .dictionary: true
    default: false
    }
  }
}
