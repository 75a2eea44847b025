import LibC

extension LockMemory {
  /// A part that grows.
  ///
  /// Each has addresses one behind the other. In the lock file the areas take turns with parts that get larger, so that the file is not
  /// much larger than what is used of it: it may be copied with the data, or limits may apply to it.
  enum Area: Int, CaseIterable {
    case givenUp, held, holders, records, bitmap

    /// An area grows in steps of so many bytes, which is a multiple of the system's pages.
    static let step = 64 << 10
    private static let distance = 1 << 28

    /// Where it begins, in bytes from the base of the memory.
    var start: Int { (rawValue + 1) * Self.distance }

    /// Maximum number of bytes, when the whole memory has a size.
    func limit(_ size: Int) -> Int { self == .bitmap ? size - start : Self.distance }
  }

  /// A part of an area that is contiguous in the lock file.
  struct Segment {
    /// Bytes of the area.
    let bytes: Range<Int>
    /// Where they are in the lock file.
    let offset: Int

    /// The segments of an area before a number of bytes, the last one cut there: the first one has a step, and the area is four times as
    /// large with each further one.
    static func all(of area: Area, before end: Int, headerSize: Int) -> [Segment] {
      var segments: [Segment] = []
      let first = (headerSize + Area.step - 1) / Area.step * Area.step
      var bytes = 0..<Area.step
      while bytes.lowerBound < end {
        let offset = first + Area.allCases.count * bytes.lowerBound + area.rawValue * bytes.count
        segments.append(Segment(bytes: bytes.lowerBound..<min(bytes.upperBound, end), offset: offset))
        bytes = bytes.upperBound..<4 * bytes.upperBound
      }
      return segments
    }
  }
}
