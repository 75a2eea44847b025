import Foundation

/// Who uses whom between the folders of a target, those within a folder being a part of it: a folder uses another one when
/// a type that is declared at the top of a file there is named in one of its own.
struct FolderGraph {
  /// Folders, each with those that it uses.
  private(set) var uses: [String: Set<String>] = [:]

  init(target: URL) throws {
    var declarations: [String: Set<String>] = [:]
    var words: [String: Set<String>] = [:]
    for case let file as URL in FileManager.default.enumerator(at: target, includingPropertiesForKeys: nil)!
    where file.pathExtension == "swift" {
      let path = file.deletingLastPathComponent().path.dropFirst(target.path.count + 1)
      guard let folder = path.split(separator: "/").first else { continue }
      let scan = SourceScan(try Data(contentsOf: file))
      for name in scan.declarations { declarations[name, default: []].insert(String(folder)) }
      words[String(folder), default: []].formUnion(scan.words)
    }
    // A name of two folders says nothing.
    let owners = declarations.compactMapValues { $0.count == 1 ? $0.first : nil }
    for (folder, words) in words {
      uses[folder] = Set(words.compactMap { owners[$0] }).subtracting([folder])
    }
  }

  var edgeCount: Int { uses.values.reduce(0) { $0 + $1.count } }

  /// Folders that use each other, as "a <> b".
  var mutualPairs: Set<String> {
    var pairs: Set<String> = []
    for (folder, others) in uses {
      for other in others where folder < other && uses[other]!.contains(folder) {
        pairs.insert("\(folder) <> \(other)")
      }
    }
    return pairs
  }
}

/// The words of a source file, and the types that it declares at its top.
struct SourceScan {
  private(set) var words: Set<String> = []
  private(set) var declarations: Set<String> = []

  private static let kinds: Set<String> = ["class", "struct", "enum", "protocol", "actor", "typealias"]

  init(_ data: Data) {
    // A line that begins at the margin declares when it has one of the words above before any other sign.
    for line in data.split(separator: UInt8(ascii: "\n")) {
      scan(Array(line))
    }
  }

  private mutating func scan(_ line: [UInt8]) {
    var isDeclaring = line.first.map(Self.isLetter) == true || line.first == UInt8(ascii: "@")
    var isNamed = false
    var isText = false
    var position = 0
    while position < line.count {
      let byte = line[position]
      if isText, byte == UInt8(ascii: "\\") {
        position += 2
      } else if byte == UInt8(ascii: "\"") {
        isText.toggle()
        position += 1
      } else if isText {
        position += 1
      } else if byte == UInt8(ascii: "/"), position + 1 < line.count, line[position + 1] == byte {
        return
      } else if Self.isLetter(byte) {
        let start = position
        while position < line.count, Self.isLetter(line[position]) || Self.isDigit(line[position]) {
          position += 1
        }
        let word = String(decoding: line[start..<position], as: UTF8.self)
        words.insert(word)
        if isDeclaring {
          if isNamed {
            declarations.insert(word)
            isDeclaring = false
          } else {
            isNamed = Self.kinds.contains(word)
          }
        }
      } else {
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "=") {
          isDeclaring = false
        }
        position += 1
      }
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte >= 128 || (byte | 0x20) &- UInt8(ascii: "a") < 26
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
