import Storage

/// Lines of single values under titles, such as aggregates.
struct ValueRows {
  let titles: [String]
  let rows: [[Value]]
  let snapshot: Snapshot

  func write(_ format: RecordFormat, to console: Console, escapesFormulas: Bool) throws {
    switch format {
    case .table:
      let headings = titles.indices.map { TextGrid.Heading(titles[$0], isNumeric: isNumeric($0)) }
      try console.output.write(
        TextGrid.text(headings, rows.map { $0.map(text) }, width: console.width, style: console.style))
    case .json, .jsonl: try console.output.write(json(isLines: format == .jsonl))
    case .csv:
      let fields = CSVFields(style: console.style, escapesFormulas: escapesFormulas)
      try console.output.write(fields.line(titles.map { fields.text($0) }))
      for row in rows {
        try console.output.write(
          fields.line(
            row.map { value in
              guard let text = text(value) else { return "" }
              return value.isNumber ? fields.plain(text) : fields.text(text)
            }))
      }
    }
  }

  private func text(_ value: Value) -> String? { value.isNull ? nil : ValueText.text(value, snapshot) }

  private func isNumeric(_ column: Int) -> Bool {
    rows.allSatisfy { $0[column].isNull || $0[column].isNumber }
  }

  private func json(isLines: Bool) -> [UInt8] {
    let writer = JSONText(snapshot)
    var bytes: [UInt8] = []
    if !isLines { bytes += (rows.isEmpty ? "[" : "[\n").utf8 }
    for (number, row) in rows.enumerated() {
      if number > 0 && !isLines { bytes += ",\n".utf8 }
      bytes.append(UInt8(ascii: "{"))
      for (column, value) in row.enumerated() {
        if column > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes.appendJSON(titles[column])
        bytes.append(UInt8(ascii: ":"))
        writer.append(plain: value, to: &bytes)
      }
      bytes += (isLines ? "}\n" : "}").utf8
    }
    if !isLines { bytes += (rows.isEmpty ? "]\n" : "\n]\n").utf8 }
    return bytes
  }
}

extension Value {
  fileprivate var isNumber: Bool {
    switch self {
    case .int, .float, .double, .decimal128: true
    default: false
    }
  }
}
