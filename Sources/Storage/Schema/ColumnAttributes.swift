// What only some columns have, and what came to the catalogue after its first form: a list of attributes behind the
// column, which is there when it is not empty (flag 32).
//
//   u8 number of attributes · each: u8 kind · u8 size · its bytes
//   kind 1: u8 rule of links (`LinkRule`)
//   kind 2: the column is a sequence; no bytes
//   kind 3: no value is there twice; no bytes
//
// A program that does not know an attribute would break what it promises. So nothing is read whose kind is not known, and a new
// kind takes a new number of the format.
extension Column {
  private enum AttributeKind: UInt8 {
    case linkRule = 1
    case sequence = 2
    case unique = 3
  }

  /// Whether the column has more than those of the first format.
  var hasAttributes: Bool { !isRemoved && (linkRule != .nullify || isSequence || isUnique) }

  func writeAttributes(_ writer: inout ByteWriter) {
    var attributes: [(kind: AttributeKind, bytes: [UInt8])] = []
    if linkRule != .nullify { attributes.append((.linkRule, [linkRule.rawValue])) }
    if isSequence { attributes.append((.sequence, [])) }
    if isUnique { attributes.append((.unique, [])) }
    writer.append(UInt8(attributes.count))
    for attribute in attributes {
      writer.append(attribute.kind.rawValue)
      writer.append(UInt8(attribute.bytes.count))
      for byte in attribute.bytes { writer.append(byte) }
    }
  }

  /// False when the bytes are no such list, or have what this version does not know.
  mutating func readAttributes(_ reader: inout ByteReader) -> Bool {
    guard let count = reader.read(UInt8.self) else { return false }
    for _ in 0..<count {
      guard let kind = reader.read(UInt8.self).flatMap(AttributeKind.init(rawValue:)),
        let bytes = reader.read(UInt8.self).flatMap({ reader.readBytes(Int($0)) })
      else { return false }
      switch kind {
      case .linkRule:
        guard bytes.count == 1, let rule = LinkRule(rawValue: bytes[0]) else { return false }
        linkRule = rule
      case .sequence:
        guard bytes.isEmpty else { return false }
        isSequence = true
      case .unique:
        guard bytes.isEmpty else { return false }
        isUnique = true
      }
    }
    return true
  }
}
