/// Objects one below the other, each property on a line of its own: for classes with more columns than a table has space
/// for.
struct RecordView {
  private let headings: [TextGrid.Heading]
  private let width: Int
  private let style: Style
  private let titleWidth: Int
  private var count = 0

  init(_ headings: [TextGrid.Heading], width: Int, style: Style) {
    self.headings = headings
    self.width = width
    self.style = style
    let widest = headings.map { DisplayWidth.of($0.title) }.max() ?? 0
    titleWidth = min(widest, max(1, width / 2 - 2))
  }

  /// Returns the lines of the next object.
  mutating func record(_ cells: [String?]) -> String {
    count += 1
    let label = "- \(Numbers.separated(count)) "
    let rule = label + String(repeating: "-", count: max(0, width - label.utf8.count))
    var text = style.faint(DisplayWidth.fitted(rule, width)) + "\n"
    for (heading, cell) in zip(headings, cells) {
      let title = DisplayWidth.fitted(heading.title, titleWidth)
      let padding = String(repeating: " ", count: titleWidth + 2 - DisplayWidth.of(title))
      let value = DisplayWidth.fitted(cell ?? "null", max(1, width - titleWidth - 2))
      text += style.heading(title) + padding + (cell == nil ? style.faint(value) : value) + "\n"
    }
    return text
  }
}
