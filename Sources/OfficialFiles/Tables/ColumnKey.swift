/// What a column key says of its column.
///
/// ```
/// 0 (2)   tag (32)   attributes (8)   type (6)   place (16)
/// ```
struct ColumnKey {
  /// The only way to the column's leaves; not its number among the columns.
  let place: Int
  let type: OfficialType
  let isNullable: Bool
  let collection: OfficialCollectionType?

  static let backlinkType = 14

  static func place(_ key: Int64) -> Int { Int(key & 0xFFFF) }
  static func isBacklink(_ key: Int64) -> Bool { type(key) == backlinkType }

  private static func type(_ key: Int64) -> Int { Int(key >> 16 & 63) }

  init(_ key: Int64, _ name: String) throws {
    place = Self.place(key)
    let attributes = ColumnAttributes(rawValue: key >> 22 & 0xFF)
    isNullable = attributes.contains(.nullable)
    // Lists of links had a type of their own.
    let isOldList = Self.type(key) == ColumnType.linkList
    let collections = [
      attributes.contains(.list) || isOldList ? OfficialCollectionType.list : nil,
      attributes.contains(.set) ? .set : nil,
      attributes.contains(.dictionary) ? .dictionary : nil,
    ].compactMap(\.self)
    guard collections.count <= 1 else { throw Damage("property '\(name)' is several collections at once") }
    collection = collections.first
    if Self.type(key) == ColumnType.typedLink {
      throw Unsupported(what: "property '\(name)' is a link to objects of any class, which no SDK writes")
    }
    guard let type = isOldList ? .link : ColumnType.current[Self.type(key)] else {
      throw Damage("property '\(name)' is of an unknown type \(Self.type(key))")
    }
    self.type = type
  }
}

struct ColumnAttributes: OptionSet {
  let rawValue: Int64

  static let indexed = ColumnAttributes(rawValue: 1)
  static let nullable = ColumnAttributes(rawValue: 16)
  static let list = ColumnAttributes(rawValue: 32)
  static let dictionary = ColumnAttributes(rawValue: 64)
  static let set = ColumnAttributes(rawValue: 128)
  static let fullText = ColumnAttributes(rawValue: 256)
}

/// The numbers of types.
enum ColumnType {
  static let linkList = 13
  static let typedLink = 16

  static let current: [Int: OfficialType] = [
    0: .int, 1: .bool, 2: .string, 4: .data, 6: .mixed, 8: .date, 9: .float, 10: .double, 11: .decimal,
    12: .link,
    15: .objectId, 17: .uuid,
  ]
}
