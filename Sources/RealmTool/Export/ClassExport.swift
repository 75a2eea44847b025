/// All objects of a class, in the order in which they were created.
struct ClassExport {
  let reader: ClassReader
  let format: RecordFormat
  let linkedClasses: LinkedClasses
  let escapesFormulas: Bool

  init(
    _ reader: ClassReader, _ format: RecordFormat, _ linkedClasses: LinkedClasses, escapesFormulas: Bool
  ) {
    self.reader = reader
    self.format = format
    self.linkedClasses = linkedClasses
    self.escapesFormulas = escapesFormulas
  }

  /// - Parameters:
  ///   - style: The style of the stream's target.
  ///   - progress: Is called from time to time with the number of written objects.
  @discardableResult
  func write(
    to stream: OutputStream, _ style: Style = Style(isOn: false, escapes: false),
    _ progress: (Int) -> Void = { _ in }
  ) throws -> Int {
    var paths = reader.columns.map { PropertyPath($0, of: reader) }
    // What links to them names them by it.
    if !reader.hasKey && !reader.isEmbedded && linkedClasses.contains(reader) {
      paths.insert(try PropertyPath("#row", of: reader), at: 0)
    }
    var writer = format.writer(
      reader, paths, to: stream, style: style, width: nil, escapesFormulas: escapesFormulas)
    var count = 0
    try reader.forEachRow { row in
      try writer.write(row)
      count += 1
      if count % 1000 == 0 { progress(count) }
    }
    try writer.finish()
    return count
  }
}
