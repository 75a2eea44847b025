/// Objects as a table that fits the terminal, or as records where there are too many columns for that. The first ones decide
/// how wide the columns are, so that any number of objects can follow.
struct TableWriter: RecordWriter {
  private static let sampleCount = 500
  private let reader: ClassReader
  private let paths: [PropertyPath]
  private let stream: OutputStream
  private let style: Style
  private let headings: [TextGrid.Heading]
  private let width: Int?
  private var grid: TextGrid
  /// Nil where the table is not too wide.
  private var records: RecordView?
  private var sample: [[String?]] = []
  private var isWriting = false

  init(
    _ reader: ClassReader, _ paths: [PropertyPath], _ stream: OutputStream, _ style: Style, width: Int?
  ) {
    self.reader = reader
    self.paths = paths
    self.stream = stream
    self.style = style
    self.width = width
    headings = paths.map { TextGrid.Heading($0.title, isNumeric: $0.isNumeric) }
    grid = TextGrid(headings, width: width, style: style)
  }

  mutating func write(_ row: Int) throws {
    let cells = try paths.map { try $0.text(row, reader) }
    if isWriting { return try append(cells) }
    sample.append(cells)
    if sample.count == Self.sampleCount { try begin() }
  }

  private mutating func begin() throws {
    isWriting = true
    if !grid.fit(to: sample), let width {
      records = RecordView(headings, width: width, style: style)
    } else {
      try stream.write(grid.heading)
    }
    for cells in sample { try append(cells) }
    sample = []
  }

  private mutating func append(_ cells: [String?]) throws {
    try stream.write(records?.record(cells) ?? grid.line(cells))
  }

  mutating func finish() throws {
    if !isWriting { try begin() }
  }
}

/// Lines of cells in columns.
struct TextGrid {
  struct Heading {
    let title: String
    let isNumeric: Bool

    init(_ title: String, isNumeric: Bool = false) {
      self.title = title
      self.isNumeric = isNumeric
    }
  }

  private static let gap = 2
  /// The widest that a column is where lines may have any length.
  private static let widest = 60
  /// The narrowest that a column becomes where not all fit, in characters: enough to tell titles apart.
  private static let narrowest = 8
  private let headings: [Heading]
  private let width: Int?
  private let style: Style
  private var widths: [Int] = []

  init(_ headings: [Heading], width: Int?, style: Style) {
    self.headings = headings
    self.width = width
    self.style = style
  }

  /// The whole as text.
  static func text(_ headings: [Heading], _ lines: [[String?]], width: Int?, style: Style) -> String {
    var grid = TextGrid(headings, width: width, style: style)
    grid.fit(to: lines)
    return grid.heading + lines.map { grid.line($0) }.joined()
  }

  /// Decides how wide the columns are: as wide as their cells, unless that is too wide; then the widest give way. Returns
  /// whether the lines fit.
  @discardableResult
  mutating func fit(to lines: [[String?]]) -> Bool {
    widths = headings.map { DisplayWidth.of($0.title) }
    for cells in lines {
      for (column, cell) in cells.enumerated() {
        widths[column] = max(widths[column], min(DisplayWidth.of(cell ?? "null"), 1000))
      }
    }
    guard let width else {
      widths = widths.map { min($0, Self.widest) }
      return true
    }
    var excess = widths.reduce(0, +) + Self.gap * (widths.count - 1) - width
    while excess > 0, let widest = widths.max(), widest > Self.narrowest {
      widths[widths.lastIndex(of: widest)!] -= 1
      excess -= 1
    }
    return excess <= 0
  }

  var heading: String { line(headings.map(\.title)) { style.heading($0) } }

  func line(_ cells: [String?]) -> String {
    line(cells) { $0 }
  }

  private func line(_ cells: [String?], _ paint: (String) -> String) -> String {
    var text = ""
    for (column, cell) in cells.enumerated() {
      let shown = DisplayWidth.fitted(cell ?? "null", widths[column])
      let padding = String(repeating: " ", count: max(0, widths[column] - DisplayWidth.of(shown)))
      let painted = cell == nil ? style.faint(shown) : paint(shown)
      let isLast = column == headings.count - 1
      text += headings[column].isNumeric ? padding + painted : painted + (isLast ? "" : padding)
      if !isLast { text += String(repeating: " ", count: Self.gap) }
    }
    return text + "\n"
  }
}
