/// That some bytes of a file become another text.
struct SourceEdit: Sendable {
  let range: Range<Int>
  let text: String
}

extension SourceEdit {
  /// Returns bytes after edits that do not overlap, whose ranges count from the first byte.
  static func applying(_ edits: [SourceEdit], to bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var position = bytes.startIndex
    // What is inserted at a place comes before what replaces it.
    func key(_ edit: SourceEdit) -> (Int, Int) { (edit.range.lowerBound, edit.range.upperBound) }
    for edit in edits.sorted(by: { key($0) < key($1) }) {
      result += bytes[position..<bytes.startIndex + edit.range.lowerBound]
      result += edit.text.utf8
      position = bytes.startIndex + edit.range.upperBound
    }
    return result + bytes[position...]
  }
}

extension SwiftSource {
  /// Returns the bytes of a token range.
  func byteRange(_ tokens: Range<Int>) -> Range<Int> {
    self.tokens[tokens.lowerBound].range.lowerBound..<self.tokens[tokens.upperBound - 1].range.upperBound
  }

  /// Returns an edit that removes tokens with the space behind them, so that what follows moves to their place.
  func removing(_ tokens: Range<Int>) -> SourceEdit {
    var end = tokens.upperBound
    if end < self.tokens.count, self.tokens[end].kind == .space { end += 1 }
    return SourceEdit(range: byteRange(tokens.lowerBound..<end), text: "")
  }

  /// Returns an edit that removes whole lines with the comments directly above them, and one of two empty lines around them.
  func removingLines(_ tokens: Range<Int>) -> SourceEdit {
    var first = tokens.lowerBound
    while let comment = commentAbove(first) { first = comment }
    var range = byteRange(first..<tokens.upperBound)
    let newline = UInt8(ascii: "\n")
    var begin = range.lowerBound
    while begin > 0, bytes[begin - 1] == UInt8(ascii: " ") || bytes[begin - 1] == UInt8(ascii: "\t") {
      begin -= 1
    }
    guard begin == 0 || bytes[begin - 1] == newline else { return SourceEdit(range: range, text: "") }
    var end = range.upperBound
    while end < bytes.count, bytes[end] != newline { end += 1 }
    let rest = bytes[range.upperBound..<end].filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\r") }
    guard rest.isEmpty else { return SourceEdit(range: range, text: "") }
    end = min(end + 1, bytes.count)
    range = begin..<end
    if isEmptyLine(before: begin), isEmptyLine(at: end) || isClosingBrace(at: end) {
      var former = begin - 1
      while former > 0, bytes[former - 1] != newline { former -= 1 }
      range = former..<end
    }
    return SourceEdit(range: range, text: "")
  }

  /// The position of a comment that is alone on the line above a token.
  private func commentAbove(_ position: Int) -> Int? {
    guard position >= 2, tokens[position - 1].kind == .space, tokens[position - 2].kind == .comment,
      text(position - 1).count(where: \.isNewline) == 1
    else { return nil }
    guard position >= 3 else { return position - 2 }
    return tokens[position - 3].kind == .space && text(position - 3).contains(where: \.isNewline)
      ? position - 2 : nil
  }

  private func line(at begin: Int) -> ArraySlice<UInt8> {
    bytes[begin...].prefix { $0 != UInt8(ascii: "\n") }
  }

  private func isEmptyLine(at begin: Int) -> Bool {
    begin < bytes.count && line(at: begin).allSatisfy { [9, 13, 32].contains($0) }
  }

  private func isClosingBrace(at begin: Int) -> Bool {
    line(at: begin).first { ![9, 13, 32].contains($0) } == UInt8(ascii: "}")
  }

  private func isEmptyLine(before begin: Int) -> Bool {
    guard begin > 0 else { return false }
    var former = begin - 1
    while former > 0, bytes[former - 1] != UInt8(ascii: "\n") { former -= 1 }
    return bytes[former..<begin - 1].allSatisfy { [9, 13, 32].contains($0) }
  }
}
