import LibC

/// Why a file of the official engine cannot be read.
package struct OfficialFileError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    /// The system refuses, with this code.
    case unreadable(Int32)
    /// It lacks the mark of an official file, and does not look like an encrypted one.
    case notOfficial
    /// It lacks the mark of an official file, and looks like an encrypted one.
    case keyNeeded
    /// The key does not have 64 bytes, is another one, or the file was never encrypted.
    case wrongKey
    /// Written by a newer engine, in this format.
    case newerFormat(Int)
    /// An engine began to bring it from this old format to a newer one and was stopped.
    case halfUpgraded(Int)
    /// Sound as far as can be seen, with something that no program of the SDKs writes.
    case unsupported(String)
    /// Another process is writing to it.
    case inUse
    /// Not what an engine has written.
    case damaged(Damaged)
  }

  package struct Damaged: Hashable, Sendable {
    package var what: String
    package var className: String?
    package var property: String?
    /// The byte of the (decrypted) file at which the node concerned begins.
    package var offset: Int?

    package init(what: String, className: String? = nil, property: String? = nil, offset: Int? = nil) {
      self.what = what
      self.className = className
      self.property = property
      self.offset = offset
    }
  }

  /// What is read.
  static let newestFormat = 24

  package let path: String
  package let reason: Reason

  package init(path: String, reason: Reason) {
    self.path = path
    self.reason = reason
  }

  package var description: String {
    switch reason {
    case .unreadable(let code):
      "The file at path '\(path)' cannot be read: \(String(cString: strerror(code)))."
    case .notOfficial: "The file at path '\(path)' is not a file of the official Realm."
    case .keyNeeded:
      "The file at path '\(path)' is not a file of the official Realm, or an encrypted one: it needs its encryption key."
    case .wrongKey:
      "The file at path '\(path)' cannot be decrypted: the encryption key is wrong, or the file is not encrypted, or damaged."
    case .newerFormat(let format):
      "The file at path '\(path)' was written by a newer official Realm: its format \(format) is above \(Self.newestFormat)."
    case .halfUpgraded(let format):
      "An upgrade of the file at path '\(path)' from format \(format) was begun and never finished: open it once with the official Realm that began it."
    case .unsupported(let what): "The file at path '\(path)' cannot be read: \(what)."
    case .inUse:
      "The file at path '\(path)' is being written: close the program that uses it, or read a copy."
    case .damaged(let damage):
      "The file at path '\(path)' is damaged\(damage.place): \(damage.what)."
    }
  }
}

extension OfficialFileError.Damaged {
  fileprivate var place: String {
    var parts: [String] = []
    if let className {
      parts.append("in '\(className)\(property.map { ".\($0)" } ?? "")'")
    }
    if let offset { parts.append("at byte \(offset)") }
    return parts.isEmpty ? "" : " " + parts.joined(separator: " ")
  }
}
