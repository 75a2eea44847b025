import Storage

/// The lines of a file before and after edits, as `diff -u` shows them and `patch` takes them.
struct UnifiedDifference {
  private static let context = 3

  private let path: String
  private let old: [String]
  /// The lines that are replaced, with what replaces them, in their order.
  private var changes: [(old: Range<Int>, new: [String])] = []

  init(_ source: SwiftSource, _ edits: [SourceEdit], path: String) {
    self.path = path
    old = Self.lines(source.bytes[...])
    var starts = [0]
    for line in old.dropLast() { starts.append(starts.last! + line.utf8.count) }
    func line(of byte: Int) -> Int { starts.indices.partitioningIndex { starts[$0] > byte } - 1 }
    var groups: [(lines: Range<Int>, edits: [SourceEdit])] = []
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      let first = line(of: edit.range.lowerBound)
      let last = max(first, line(of: max(edit.range.upperBound - 1, edit.range.lowerBound)))
      if let group = groups.last, first < group.lines.upperBound {
        groups[groups.count - 1].lines = group.lines.lowerBound..<max(group.lines.upperBound, last + 1)
        groups[groups.count - 1].edits.append(edit)
      } else {
        groups.append((first..<last + 1, [edit]))
      }
    }
    for group in groups {
      let begin = starts[group.lines.lowerBound]
      let end = group.lines.upperBound < starts.count ? starts[group.lines.upperBound] : source.bytes.count
      let moved = group.edits.map {
        SourceEdit(range: $0.range.lowerBound - begin..<$0.range.upperBound - begin, text: $0.text)
      }
      let new = SourceEdit.applying(moved, to: source.bytes[begin..<end])
      changes.append((group.lines, Self.lines(new[...])))
    }
  }

  /// Lines with their ends.
  private static func lines(_ bytes: ArraySlice<UInt8>) -> [String] {
    var lines: [String] = []
    var rest = bytes
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(String(decoding: rest[...end], as: UTF8.self))
      rest = rest[(end + 1)...]
    }
    if !rest.isEmpty { lines.append(String(decoding: rest, as: UTF8.self)) }
    return lines
  }

  /// Returns the lines of the output, without their ends, each with its sign.
  func lines() -> [String] {
    if changes.isEmpty { return [] }
    var output = ["--- \(path)", "+++ \(path)"]
    var index = 0
    var offset = 0
    while index < changes.count {
      var end = index + 1
      while end < changes.count,
        changes[end].old.lowerBound - changes[end - 1].old.upperBound <= 2 * Self.context
      {
        end += 1
      }
      let hunk = changes[index..<end]
      let begin = max(0, hunk.first!.old.lowerBound - Self.context)
      let limit = min(old.count, hunk.last!.old.upperBound + Self.context)
      let growth = hunk.reduce(0) { $0 + $1.new.count - $1.old.count }
      let length = limit - begin
      output.append("@@ -\(begin + 1),\(length) +\(begin + 1 + offset),\(length + growth) @@")
      var position = begin
      for change in hunk {
        output += old[position..<change.old.lowerBound].map { " " + Self.shown($0) }
        output += old[change.old].map { "-" + Self.shown($0) }
        output += change.new.map { "+" + Self.shown($0) }
        position = change.old.upperBound
      }
      output += old[position..<limit].map { " " + Self.shown($0) }
      offset += growth
      index = end
    }
    return output
  }

  private static func shown(_ line: String) -> String {
    // A carriage return and the line feed behind it are one character.
    line.last?.isNewline == true ? String(line.dropLast()) : line
  }
}
