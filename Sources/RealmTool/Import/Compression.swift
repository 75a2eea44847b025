/// Forms of compressed files, which `realm import` does not read itself.
enum Compression: CaseIterable {
  case gzip, bzip2, xz, zstd, zip

  /// Number of bytes at the beginning of a file that are enough to tell.
  static let signatureLength = 10

  /// The form of a file that begins with some bytes; nil when it is not compressed.
  init?(beginning bytes: [UInt8]) {
    guard let found = Self.allCases.first(where: { $0.begins(bytes) }) else { return nil }
    self = found
  }

  private func begins(_ bytes: [UInt8]) -> Bool {
    if !bytes.starts(with: signature) { return false }
    // The letters `BZh` can begin a text as well: a block size and the mark of a block, or of the end, follow in a file.
    if self != .bzip2 { return true }
    let marks: [[UInt8]] = [[0x31, 0x41, 0x59, 0x26, 0x53, 0x59], [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]]
    return marks.contains(Array(bytes.dropFirst(4).prefix(6)))
  }

  /// The form that the last part of a file name means.
  init?(ending: String) {
    switch ending.lowercased() {
    case "gz": self = .gzip
    case "bz2": self = .bzip2
    case "xz": self = .xz
    case "zst": self = .zstd
    case "zip": self = .zip
    default: return nil
    }
  }

  private var signature: [UInt8] {
    switch self {
    case .gzip: [0x1F, 0x8B]
    case .bzip2: [0x42, 0x5A, 0x68]
    case .xz: [0xFD, 0x37, 0x7A, 0x58]
    case .zstd: [0x28, 0xB5, 0x2F, 0xFD]
    case .zip: [0x50, 0x4B, 0x03, 0x04]
    }
  }

  /// The command that writes the content to the standard output.
  var command: String {
    switch self {
    case .gzip: "zcat"
    case .bzip2: "bzcat"
    case .xz: "xzcat"
    case .zstd: "zstdcat"
    case .zip: "unzip -p"
    }
  }
}
