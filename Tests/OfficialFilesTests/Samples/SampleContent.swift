import Foundation

@testable import OfficialFiles

/// A value in a form that can be compared, from a file or from a description of what is in it.
indirect enum Content: Hashable {
  case null
  case int(Int64)
  case bool(Bool)
  case float(UInt32)
  case double(UInt64)
  /// As UTF-8, since strings that differ can be equal.
  case string([UInt8])
  case data([UInt8])
  case date(seconds: Int64, nanoseconds: Int32)
  case decimal(high: UInt64, low: UInt64)
  case objectId([UInt8])
  case uuid([UInt8])
  case link(String, Int64)
  case list([Content])
  case set(Set<Content>)
  case dictionary([[UInt8]: Content])
}

extension Content {
  /// - Parameter json: Either null or an object whose key says the type.
  init(json: Any) {
    guard let object = json as? [String: Any] else {
      self = .null
      return
    }
    func text(_ key: String) -> String? { object[key] as? String }
    if let number = text("int") {
      self = .int(Int64(number)!)
    } else if let flag = object["bool"] as? Bool {
      self = .bool(flag)
    } else if let bits = text("float") {
      self = .float(UInt32(bits, radix: 16)!)
    } else if let bits = text("double") {
      self = .double(UInt64(bits, radix: 16)!)
    } else if let string = text("string") {
      self = .string(Array(string.utf8))
    } else if let data = text("binary") {
      self = .data(Array(Data(base64Encoded: data)!))
    } else if let date = object["timestamp"] as? [String: Any] {
      self = .date(
        seconds: Int64(date["seconds"] as! String)!,
        nanoseconds: (date["nanoseconds"] as! NSNumber).int32Value)
    } else if let bits = text("decimal128") {
      self = .decimal(high: UInt64(bits.prefix(16), radix: 16)!, low: UInt64(bits.suffix(16), radix: 16)!)
    } else if let id = text("objectId") {
      self = .objectId(Self.bytes(id))
    } else if let uuid = text("uuid") {
      self = .uuid(Self.bytes(uuid.filter { $0 != "-" }))
    } else if let link = object["link"] as? [String: Any] {
      self = .link(link["class"] as! String, (link["key"] as! NSNumber).int64Value)
    } else {
      self = Self.collection(object)
    }
  }

  private static func collection(_ object: [String: Any]) -> Content {
    if let list = object["list"] as? [Any] { return .list(list.map(Content.init(json:))) }
    if let set = object["set"] as? [Any] { return .set(Set(set.map(Content.init(json:)))) }
    if let dictionary = object["dictionary"] as? [String: Any] {
      let entries = dictionary.map { (Array($0.utf8), Content(json: $1)) }
      return .dictionary(Dictionary(uniqueKeysWithValues: entries))
    }
    fatalError("\(object)")
  }

  private static func bytes(_ text: String) -> [UInt8] {
    let digits = Array(text)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0..<$0 + 2]), radix: 16)! }
  }
}

extension Content {
  init(_ value: OfficialValue, _ tables: [OfficialTable]) throws {
    let names = tables.map { ($0.number, $0.className ?? $0.name) }
    try self.init(value, Dictionary(uniqueKeysWithValues: names))
  }

  /// - Parameter names: Those of the tables by their numbers.
  init(_ value: OfficialValue, _ names: [Int: String]) throws {
    switch value {
    case .null: self = .null
    case .int(let number): self = .int(number)
    case .bool(let flag): self = .bool(flag)
    case .float(let number): self = .float(number.bitPattern)
    case .double(let number): self = .double(number.bitPattern)
    case .string(let bytes): self = .string(bytes.array)
    case .data(let bytes): self = .data(bytes.array)
    case .date(let seconds, let nanoseconds): self = .date(seconds: seconds, nanoseconds: nanoseconds)
    case .decimal(let high, let low): self = .decimal(high: high, low: low)
    case .objectId(let bytes): self = .objectId(bytes.array)
    case .uuid(let bytes): self = .uuid(bytes.array)
    case .link(let table, let key): self = .link(names[table] ?? "", key)
    case .collection(let collection): self = try Content(collection, names)
    }
  }

  private init(_ collection: OfficialCollection, _ names: [Int: String]) throws {
    if collection.type == .dictionary {
      var entries: [[UInt8]: Content] = [:]
      try collection.forEachEntry { entries[$0.array] = try Content($1, names) }
      self = .dictionary(entries)
      return
    }
    var elements: [Content] = []
    try collection.forEachElement { elements.append(try Content($0, names)) }
    self = collection.type == .list ? .list(elements) : .set(Set(elements))
  }
}

extension OfficialTable {
  /// Each object's values by the names of the properties.
  func contents(_ file: OfficialFile) throws -> [Int64: [String: Content]] {
    var objects: [Int64: [String: Content]] = [:]
    try forEachBlock { block in
      let keys = (0..<block.count).map { block.key(at: $0) }
      for key in keys { objects[key] = [:] }
      for (number, property) in properties.enumerated() {
        try block.forEachValue(ofProperty: number) { row, value in
          objects[keys[row]]![property.name] = try Content(value, file.tables)
        }
      }
    }
    return objects
  }
}

extension OfficialFile {
  func table(_ name: String) -> OfficialTable? { tables.first { $0.className == name } }

  /// Reads everything; gives the number of values.
  @discardableResult func readAll() throws -> Int {
    var count = 0
    for table in tables {
      try table.forEachBlock { block in
        for property in table.properties.indices {
          try block.forEachValue(ofProperty: property) { _, value in
            count += try value.readAll()
          }
        }
      }
    }
    return count
  }
}

extension OfficialValue {
  /// Touches all bytes; gives the number of values.
  fileprivate func readAll() throws -> Int {
    switch self {
    case .collection(let collection) where collection.type == .dictionary:
      var count = 1
      try collection.forEachEntry { count += try $1.readAll() + ($0.count > 0 ? 1 : 0) }
      return count
    case .collection(let collection):
      var count = 1
      try collection.forEachElement { count += try $0.readAll() }
      return count
    case .string(let bytes), .data(let bytes), .objectId(let bytes), .uuid(let bytes):
      return bytes.withBytes { $0.reduce(0) { $0 &+ Int($1) } } >= 0 ? 1 : 0
    default: return 1
    }
  }
}
