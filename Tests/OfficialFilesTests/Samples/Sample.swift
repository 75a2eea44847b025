import Foundation
import Testing

@testable import OfficialFiles

/// A file that the official engine wrote, with a description of what is in it.
struct Sample: CustomTestStringConvertible, Sendable {
  let name: String
  /// Of another sample with the same content.
  let content: String
  let key: [UInt8]?

  static let types = Sample(name: "types-small", content: "types-small", key: nil)
  static let streamed = Sample(name: "types-small-copy", content: "types-small", key: nil)
  static let collections = Sample(name: "collections-small", content: "collections-small", key: nil)
  static let schema = Sample(name: "schema", content: "schema", key: nil)
  static let encrypted = Sample(
    name: "encrypted-small", content: "types-small", key: (0..<64).map { UInt8(($0 * 7 + 13) & 255) })
  static let all = [types, streamed, collections, schema, encrypted]

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "Files")

  var testDescription: String { name }
  var path: String { Self.folder.appending(path: "\(name).realm").path }

  func open() throws -> OfficialFile { try OfficialFile(path: path, key: key) }

  func bytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

  func description() throws -> SampleDescription {
    var data = try Data(contentsOf: Self.folder.appending(path: "\(content).json"))
    // Foundation drops what looks like the mark of an encoding wherever it comes.
    while let mark = data.range(of: Data("\u{FEFF}".utf8)) {
      data.replaceSubrange(mark, with: Data(#"\uFEFF"#.utf8))
    }
    return SampleDescription(try JSONSerialization.jsonObject(with: data) as! [String: Any])
  }
}

struct SampleDescription {
  struct Class {
    let name: String
    let kind: String
    let properties: [Property]
    let objects: [Int64: [String: Content]]
  }

  struct Property: Hashable {
    let name: String
    let type: String
    let collection: String
    let isNullable: Bool
    let isPrimaryKey: Bool
    let isIndexed: Bool
    let isFullText: Bool
    let target: String?
  }

  let format: Int
  let schemaVersion: UInt64
  let classes: [Class]

  init(_ json: [String: Any]) {
    format = json["fileFormat"] as! Int
    schemaVersion = (json["schemaVersion"] as! NSNumber).uint64Value
    classes = (json["classes"] as! [[String: Any]]).map(Class.init)
  }
}

extension SampleDescription.Class {
  init(_ json: [String: Any]) {
    name = json["name"] as! String
    kind = json["kind"] as! String
    properties = (json["columns"] as! [[String: Any]]).map(SampleDescription.Property.init)
    let entries = (json["objects"] as! [[String: Any]]).map { object in
      (
        (object["key"] as! NSNumber).int64Value,
        (object["values"] as! [String: Any]).mapValues(Content.init(json:))
      )
    }
    objects = Dictionary(uniqueKeysWithValues: entries)
  }
}

extension SampleDescription.Property {
  init(_ json: [String: Any]) {
    name = json["name"] as! String
    type = json["type"] as! String
    collection = json["collection"] as! String
    isNullable = json["nullable"] as! Bool
    isPrimaryKey = json["primaryKey"] as! Bool
    isIndexed = json["indexed"] as! Bool
    isFullText = json["fulltext"] as? Bool ?? false
    target = json["target"] as? String
  }

  init(_ property: OfficialProperty, _ tables: [OfficialTable]) {
    let types: [OfficialType: String] = [
      .int: "int", .bool: "bool", .string: "string", .data: "binary", .mixed: "mixed", .date: "timestamp",
      .float: "float", .double: "double", .decimal: "decimal128", .link: "object", .objectId: "objectId",
      .uuid: "uuid",
    ]
    name = property.name
    type = types[property.type]!
    collection =
      switch property.collection {
      case nil: "none"
      case .list: "list"
      case .set: "set"
      case .dictionary: "dictionary"
      }
    isNullable = property.isNullable
    isPrimaryKey = property.isPrimaryKey
    // The description says what the engine does, which indexes primary keys without writing that.
    isIndexed = property.isIndexed || property.isPrimaryKey
    isFullText = property.isFullTextIndexed
    target = property.target.flatMap { tables[$0].className }
  }
}
