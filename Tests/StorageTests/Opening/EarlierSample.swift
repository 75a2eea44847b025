import EarlierFiles
import Foundation
import TestSupport
import Testing

@testable import Storage

/// A file of an earlier format, as an earlier version has left it.
struct EarlierSample: CustomStringConvertible, Sendable {
  let name: String
  var description: String { name }

  static let all = [
    "format2-seals", "format2-encryption", "format2-limits", "format3", "format4", "format5",
    "format5-encryption", "format5-journal", "format5-record", "format6", "format6-encryption-journal",
  ].map { EarlierSample(name: $0) }

  static func named(_ name: String) -> EarlierSample { EarlierSample(name: name) }

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "../../RealmSwiftTests/Opening/EarlierFiles")

  var key: [UInt8]? { name.contains("encryption") ? Array(0..<64) : nil }
  var hasJournal: Bool { name.contains("journal") }
  var format: UInt32 { UInt32(name.dropFirst(6).prefix(1))! }

  /// The content that the version that made the file shows.
  var listing: String {
    get throws { try String(contentsOf: Self.folder.appending(path: "\(name).entries"), encoding: .utf8) }
  }

  var version: UInt64 {
    get throws { try UInt64(#require(listing.split(separator: "\n").first).dropFirst("version ".count))! }
  }

  var bytes: [UInt8] {
    get throws { try Array(Data(contentsOf: Self.folder.appending(path: "\(name).realm"))) }
  }

  var journalBytes: [UInt8]? {
    get throws {
      guard hasJournal else { return nil }
      return try Array(Data(contentsOf: Self.folder.appending(path: "\(name).realm-journal")))
    }
  }

  /// The content of each version that is whole in the file, or with its journal, without its number.
  func versions(at path: String) throws -> Set<String> {
    var found: Set<String> = []
    func add(_ bytes: [UInt8], _ journal: [UInt8]?, isInUse: Bool) throws {
      try Self.write(bytes, journal, to: path)
      if let listing = try? readListing(path, isInUse: isInUse) { found.insert(Self.content(listing)) }
    }
    for end in stride(from: 0, through: try journalBytes?.count ?? 0, by: 4096) {
      try add(bytes, journalBytes.map { Array($0.prefix(end)) }, isInUse: false)
    }
    try add(bytes, nil, isInUse: true)
    for page in 0..<2 {
      // Without the number of its version, the other meta page has the newest one.
      var bytes = try bytes
      let place = page * 4096 + 144
      bytes.replaceSubrange(place..<place + 8, with: repeatElement(0, count: 8))
      try add(bytes, nil, isInUse: true)
    }
    return found
  }

  /// A listing without the number of the version.
  static func content(_ listing: String) -> String { String(listing.drop { $0 != "\n" }) }

  /// Writes the file, and the journal if it has one.
  func write(to path: String) throws { try Self.write(bytes, journalBytes, to: path) }

  static func write(_ bytes: [UInt8], _ journal: [UInt8]?, to path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    if let journal { try Data(journal).write(to: URL(fileURLWithPath: path + "-journal")) }
  }

  /// Reads all entries of a file of this form.
  ///
  /// - Parameter isInUse: Ignores what a failure of the system may have left.
  func readListing(_ path: String, isInUse: Bool = false) throws -> String {
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    let file = try EarlierFile(
      descriptor: descriptor, journalPath: path + "-journal", isInUse: isInUse, encryptionKey: key)
    var content = EarlierContent(version: file.version)
    for tree in EarlierFile.Tree.allCases {
      content.begin(tree.rawValue)
      var entries = try file.entries(of: tree)
      while let entry = try entries.next() { content.add(entry.key, entry.value) }
    }
    content.begin(nil)
    return content.listing
  }
}

/// The entries of all trees, as the listings beside the sample files say them: for each tree their number and a checksum.
struct EarlierContent {
  private(set) var listing: String
  private var name: String?
  private var count = 0
  private var sum: UInt64 = 0

  init(version: UInt64) { listing = "version \(version)\n" }

  mutating func begin(_ name: String?) {
    if let last = self.name { listing += "\(last) \(count) \(String(sum, radix: 16))\n" }
    (self.name, count, sum) = (name, 0, 0xCBF2_9CE4_8422_2325)
  }

  mutating func add(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    count += 1
    for part in [key, value] {
      withUnsafeBytes(of: UInt64(part.count).littleEndian) { add($0) }
      add(part)
    }
  }

  /// FNV-1a.
  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }
}
