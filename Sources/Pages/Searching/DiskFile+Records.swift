import LibC

// Records wherever they are in the file, also those to which no chain leads.
extension DiskFile {
  /// Number of bytes that are read at once.
  private static let partSize = 1 << 20

  /// Whether a record was written to another file than this one.
  func isCopy(_ record: VersionRecord) throws(PageError) -> Bool {
    record.file != (try identity)
  }

  /// Calls a function with each unit whose first bytes may be those of a record, which is not verified.
  ///
  /// - Parameter isHead: Whether they may.
  func forEachUnit(
    where isHead: (UnsafeRawPointer) -> Bool, _ body: (_ start: UnsafeRawPointer, _ unit: UInt64) -> Void
  ) throws(PageError) {
    let part = UnsafeMutableRawPointer.allocate(byteCount: Self.partSize, alignment: 16)
    defer { part.deallocate() }
    var offset = 0
    while true {
      let count = try read(Self.partSize, at: offset, to: part)
      for place in stride(from: 0, to: count - VersionRecord.size + 1, by: FileLayout.unit) {
        let start = UnsafeRawPointer(part + place)
        if isHead(start) { body(start, UInt64((offset + place) / FileLayout.unit)) }
      }
      if count < Self.partSize { return }
      offset += count
    }
  }

  /// Calls a function with each record of a file's number.
  ///
  /// A record says where it is, so that one within a value is not taken for the file's.
  func forEachRecord(
    ofFile number: UInt64, _ mapLimit: Int, _ body: (VersionRecord) -> Void
  ) throws(PageError) {
    let cipher = cipher
    try forEachUnit {
      VersionRecord.isHead($0, fileNumber: number)
    } _: { start, unit in
      guard let record = VersionRecord(at: start, cipher), record.isPlausible(mapLimit),
        record.isAt(unit: unit)
      else { return }
      body(record)
    }
  }
}
