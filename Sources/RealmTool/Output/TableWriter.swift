/// Objects as a table that fits the terminal. The first ones decide how wide the columns are, so that any number of objects
/// can follow.
struct TableWriter: RecordWriter {
  private static let sampleCount = 500
  private let reader: ClassReader
  private let paths: [PropertyPath]
  private let stream: OutputStream
  private let style: Style
  private var grid: TextGrid
  private var sample: [[String?]] = []
  private var isWriting = false

  init(
    _ reader: ClassReader, _ paths: [PropertyPath], _ stream: OutputStream, _ style: Style, width: Int?
  ) {
    self.reader = reader
    self.paths = paths
    self.stream = stream
    self.style = style
    grid = TextGrid(
      paths.map { TextGrid.Heading($0.title, isNumeric: $0.isNumeric) }, width: width, style: style)
  }

  mutating func write(_ row: Int) throws {
    let cells = try paths.map { try $0.text(row, reader) }
    if isWriting { return try stream.write(grid.line(cells)) }
    sample.append(cells)
    if sample.count == Self.sampleCount { try begin() }
  }

  private mutating func begin() throws {
    isWriting = true
    grid.fit(to: sample)
    try stream.write(grid.heading)
    for cells in sample { try stream.write(grid.line(cells)) }
    sample = []
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
  private static let narrowest = 4
  private let headings: [Heading]
  private let width: Int?
  private let style: Style
  private var widths: [Int] = []
  /// How many columns there is room for.
  private var shownCount: Int

  init(_ headings: [Heading], width: Int?, style: Style) {
    self.headings = headings
    self.width = width
    self.style = style
    let most = width.map { ($0 - 2 + Self.gap) / (Self.narrowest + Self.gap) } ?? .max
    shownCount = max(1, min(headings.count, most))
  }

  /// The whole as text.
  static func text(_ headings: [Heading], _ lines: [[String?]], width: Int?, style: Style) -> String {
    var grid = TextGrid(headings, width: width, style: style)
    grid.fit(to: lines)
    return grid.heading + lines.map { grid.line($0) }.joined()
  }

  /// Decides how wide the columns are: as wide as their cells, unless that is too wide; then the widest give way.
  mutating func fit(to lines: [[String?]]) {
    widths = headings.prefix(shownCount).map { DisplayWidth.of($0.title) }
    for cells in lines {
      for (column, cell) in cells.prefix(shownCount).enumerated() {
        widths[column] = max(widths[column], min(DisplayWidth.of(cell ?? "null"), 1000))
      }
    }
    guard let width else {
      widths = widths.map { min($0, Self.widest) }
      return
    }
    let mark = shownCount < headings.count ? 2 : 0
    var excess = widths.reduce(0, +) + Self.gap * (widths.count - 1) + mark - width
    while excess > 0, let widest = widths.max(), widest > Self.narrowest {
      widths[widths.lastIndex(of: widest)!] -= 1
      excess -= 1
    }
  }

  /// Columns that there is no room for are left out, which `…` tells.
  var heading: String {
    let text = line(headings.map(\.title)) { style.heading($0) }
    return shownCount < headings.count ? text.dropLast() + " …\n" : text
  }

  func line(_ cells: [String?]) -> String {
    line(cells) { $0 }
  }

  private func line(_ cells: [String?], _ paint: (String) -> String) -> String {
    var text = ""
    for (column, cell) in cells.prefix(shownCount).enumerated() {
      let shown = DisplayWidth.fitted(cell ?? "null", widths[column])
      let padding = String(repeating: " ", count: max(0, widths[column] - DisplayWidth.of(shown)))
      let painted = cell == nil ? style.faint(shown) : paint(shown)
      let isLast = column == shownCount - 1
      text += headings[column].isNumeric ? padding + painted : painted + (isLast ? "" : padding)
      if !isLast { text += String(repeating: " ", count: Self.gap) }
    }
    return text + "\n"
  }
}
