/// The first 24 bytes: two places of a top array with their formats, of which one counts, and the mark.
///
/// ```
/// 0…8 first top   8…16 second top   16…20 "T-DB"   20 first format   21 second format   22 –   23 which of the two
/// ```
struct FileHeader {
  static let size = 24
  /// From here on tables are made of clusters.
  static let clusterFormat = 10
  private static let mark: [UInt8] = Array("T-DB".utf8)
  private static let footerSize = 16
  private static let footerMark: UInt64 = 0x3034_1252_37E5_26C8

  let format: Int
  /// Nil for a database without content.
  let top: Int?
  /// Where nodes end.
  let end: Int

  static func hasMark(_ header: some Collection<UInt8>) -> Bool {
    header.count >= size && header.dropFirst(16).starts(with: mark)
  }

  /// - Parameter bytes: The whole content.
  init(_ bytes: UnsafeRawBufferPointer) throws {
    guard Self.hasMark(bytes) else { throw Damage("its mark is missing") }
    if bytes.count % 8 != 0 { throw Damage("its size is not a multiple of 8") }
    let isSecond = bytes[23] & 1 == 1
    format = Int(bytes[isSecond ? 21 : 20])
    var top = Self.word(bytes, at: isSecond ? 8 : 0)
    var end = bytes.count
    if top == .max && !isSecond {
      // As a copy is written from front to back: the place of the top array comes last.
      guard end >= Self.size + Self.footerSize, Self.word(bytes, at: end - 8) == Self.footerMark else {
        throw Damage("its end is missing")
      }
      top = Self.word(bytes, at: end - Self.footerSize)
      end -= Self.footerSize
    }
    self.end = end
    if top == 0 {
      self.top = nil
      return
    }
    guard top % 8 == 0, top >= Self.size, top < UInt64(end) else {
      throw Damage("the header leads to byte \(top) of \(end)")
    }
    self.top = Int(top)
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The possible places of the top array of a damaged file, the active one first.
  static func candidates(_ bytes: UnsafeRawBufferPointer) -> [FileHeader] {
    guard hasMark(bytes) else { return [] }
    let end = bytes.count & ~7
    let first = FileHeader(format: Int(bytes[20]), top: word(bytes, at: 0), end: end)
    let second = FileHeader(format: Int(bytes[21]), top: word(bytes, at: 8), end: end)
    let both = bytes[23] & 1 == 1 ? [second, first] : [first, second]
    let counting = try? FileHeader(bytes)
    var tops: Set<Int> = []
    return ([counting].compactMap { $0 } + both).filter { header in
      header.refusal == nil && header.top.map { tops.insert($0).inserted } == true
    }
  }

  /// A top array within the file.
  private init(format: Int, top: UInt64, end: Int) {
    self.format = format
    self.end = end
    self.top = top % 8 == 0 && top >= Self.size && top < UInt64(end) ? Int(top) : nil
  }

  /// Why a file of this format is not read.
  var refusal: OfficialFileError.Reason? {
    switch format {
    case 2...11, 20...OfficialFileError.newestFormat: nil
    // A database without content may not know its format.
    case 0 where top == nil: nil
    case (OfficialFileError.newestFormat + 1)...: .newerFormat(format)
    default: .unsupported("files of format \(format) are not known")
    }
  }
}
