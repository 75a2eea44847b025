/// How many places of a terminal's line a text takes.
enum DisplayWidth {
  static func of(_ text: String) -> Int {
    var width = 0
    for character in text { width += of(character) }
    return width
  }

  private static func of(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    if VisibleText.isControl(scalar) { return 0 }
    if scalar.value < 0x300 { return 1 }
    if scalar.properties.isEmojiPresentation { return 2 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default:
      return scalar.properties.generalCategory == .nonspacingMark ? 0 : 1
    }
  }

  /// The text on one line and no wider than some width; what is left out becomes `…`. What would move the cursor is shown.
  static func fitted(_ text: String, _ width: Int) -> String {
    var shown = ""
    var used = 0
    var position = text.startIndex
    // The usual case, without a look at each character: everything fits.
    let isWhole = text.utf8.count <= width && !text.unicodeScalars.contains(where: VisibleText.isControl)
    if isWhole { return text }
    let total = text.unicodeScalars.contains(where: VisibleText.isControl) ? Int.max : of(text)
    while position < text.endIndex {
      let character = text[position]
      let piece = visible(character)
      let pieceWidth = of(piece)
      if used + pieceWidth > width
        || (used + pieceWidth == width && total > width
          && text.index(after: position) < text.endIndex)
      {
        return width > 0 ? shown + "…" : ""
      }
      shown += piece
      used += pieceWidth
      position = text.index(after: position)
    }
    return shown
  }

  private static func visible(_ character: Character) -> String {
    guard character.unicodeScalars.contains(where: VisibleText.isControl) else { return String(character) }
    switch character {
    case "\n", "\r\n": return "⏎"
    case "\t": return " "
    default: return "�"
    }
  }
}
