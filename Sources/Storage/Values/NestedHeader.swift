/// What a list or dictionary inside a mixed value begins with: a tag, the identity, and the number of elements.
///
///   u8 tag (66: list; 67: dictionary) · u64 identity · u32 count
///   u8 tag (64: list; 65: dictionary) · u32 count
///
/// The identity tells a collection from all that are, or ever were, elements of the same list, entries of the same key or
/// values of the same property. It stays when the collection is moved or changed, and a copy gets another one. So a
/// reference to a collection finds it again wherever it has been moved to, and finds nothing when it is gone.
///
/// The form without an identity is that of files up to format 4, and of index keys. A collection that is stored in it has
/// its position in the list around it as identity, or 0 where it is no element of a list. Before anything in that
/// list moves, this identity is written down (see `NestedChange` and `CollectionChanges`).
package struct NestedHeader {
  /// Identities that are given have the highest bit, and so are no positions.
  package static let firstIdentity: UInt64 = 1 << 63
  static let listTag: UInt8 = 64
  static let dictionaryTag: UInt8 = 65
  static let identifiedListTag: UInt8 = 66
  private static let identifiedDictionaryTag: UInt8 = 67

  let hasKeys: Bool
  /// Nil when none is stored.
  var identity: UInt64?
  var count: Int

  init(hasKeys: Bool, identity: UInt64?, count: Int) {
    self.hasKeys = hasKeys
    self.identity = identity
    self.count = count
  }

  /// Reads the header of a mixed value. Nil when that is no collection, or ends too soon.
  init?(_ reader: inout ByteReader) {
    guard let tag = reader.read(UInt8.self), Self.tags ~= tag else { return nil }
    hasKeys = tag == Self.dictionaryTag || tag == Self.identifiedDictionaryTag
    if tag >= Self.identifiedListTag {
      guard let identity = reader.read(UInt64.self) else { return nil }
      self.identity = identity
    }
    guard let count = reader.read(UInt32.self) else { return nil }
    self.count = Int(count)
  }

  /// Number of bytes of the header.
  var size: Int { identity == nil ? 5 : 13 }

  func append(to writer: inout ByteWriter) {
    let tag = hasKeys ? Self.dictionaryTag : Self.listTag
    if let identity {
      writer.append(tag + Self.identifiedListTag - Self.listTag)
      writer.append(identity)
    } else {
      writer.append(tag)
    }
    writer.append(UInt32(count))
  }

  private static var tags: ClosedRange<UInt8> { listTag...identifiedDictionaryTag }

  /// Whether the bytes of a mixed value are those of a list or dictionary.
  static func begins(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.first.map { tags ~= $0 } ?? false }
  static func isList(_ tag: UInt8?) -> Bool { tag == listTag || tag == identifiedListTag }
  static func isDictionary(_ tag: UInt8?) -> Bool { tag == dictionaryTag || tag == identifiedDictionaryTag }

  /// The bytes of a collection with an identity written down; nil for those that have one, and for other values.
  static func identifying(_ bytes: UnsafeRawBufferPointer, as identity: UInt64) -> [UInt8]? {
    guard let tag = bytes.first, tag == listTag || tag == dictionaryTag else { return nil }
    var reader = ByteReader(bytes)
    guard var header = NestedHeader(&reader) else { return nil }
    header.identity = identity
    var writer = ByteWriter()
    writer.bytes.reserveCapacity(bytes.count + 8)
    header.append(to: &writer)
    writer.bytes.append(contentsOf: reader.readRest())
    return writer.bytes
  }
}
