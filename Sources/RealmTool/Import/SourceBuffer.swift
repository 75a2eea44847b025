/// The part of a source that is in memory.
struct SourceBuffer {
  private let file: InputFile
  private(set) var bytes: [UInt8] = []
  /// Number of bytes that have been read as records.
  var start = 0
  /// Whether nothing comes after the bytes.
  private(set) var isComplete = false

  init(_ file: InputFile) { self.file = file }

  /// The bytes of the file that were read.
  var position: Int { file.position }

  /// Reads at least as many bytes as are unread, so that a large value is not scanned too often.
  mutating func fill() throws {
    bytes.removeFirst(start)
    start = 0
    let wanted = max(1, bytes.count)
    var added = 0
    while added < wanted {
      guard let more = try file.read() else {
        isComplete = true
        return
      }
      bytes += more
      added += more.count
    }
  }

  /// Reads the beginning, and skips the byte order mark of UTF-8.
  ///
  /// - Throws: `SourceError` when the text is in UTF-16 or compressed.
  mutating func begin() throws {
    while bytes.count < Compression.signatureLength, !isComplete { try fill() }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw SourceError(line: 1, message: "it is UTF-16: bring it to UTF-8 first, for example with iconv")
    }
    if let compression = Compression(beginning: bytes) {
      throw SourceError(
        line: 1,
        message:
          "it is compressed with \(compression): decompress it, as in \(compression.command) SOURCE | realm import FILE - --class CLASS --format json|jsonl|csv"
      )
    }
  }
}
