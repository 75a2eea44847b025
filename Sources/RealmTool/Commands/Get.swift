import Storage

extension Command {
  static let get = Command(
    name: "get", summary: "print one object by its primary key, and the objects that link to it",
    discussion: """
      KEY is the primary key, or # and the row number that realm query prints as the property #row; quote that for the shell. A key of \
      several properties is a JSON array. The exit status is 1 when there is no such object.
      """,
    operands: [
      Operand(.file("FILE"), "the Realm file"), Operand(.text("CLASS"), "the class"),
      Operand(.text("KEY"), "the primary key, a JSON array of several values, or '#' and a row number"),
    ],
    options: [.json, .keyFile],
    examples: [
      Example("realm get world.realm Country NO", "the country with the primary key NO"),
      Example("realm get world.realm City '#17' --json", "the object in row 17, as JSON"),
      Example(
        "realm get shop.realm Order '[\"acme\",7]'", "the key of the order is its customer and its number"),
    ]
  ) { arguments, console in
    let file = try RealmFile.open(arguments)
    let reader = try file.classReader(arguments.operands[1])
    guard let row = try reader.row(key: arguments.operands[2]) else {
      console.note("There is no \(reader.name) '\(arguments.operands[2])'.")
      return .nothingFound
    }
    let incoming = IncomingLinks(reader, row)
    if arguments.has(.json) {
      try console.output.write(try incoming.json())
    } else {
      try console.output.write(try incoming.text(console))
    }
    return .success
  }
}

/// An object and the objects that link to it.
private struct IncomingLinks {
  /// Maximum number of linking objects that are listed for each property.
  private static let shownCount = 20
  let reader: ClassReader
  let row: Int
  /// By class and property, each object once.
  let groups: [(origin: ClassReader, property: String, rows: [Int])]

  init(_ reader: ClassReader, _ row: Int) {
    self.reader = reader
    self.row = row
    let snapshot = reader.snapshot
    groups = ClassReader.all(in: snapshot).flatMap { origin in
      origin.columns.compactMap { number in
        let column = origin.column(number)
        guard (column.type == .link && column.target == reader.number) || column.type == .mixed else {
          return nil
        }
        var rows = snapshot.backlinks(to: row, of: reader.number, from: origin.number, column: number)
        var last = -1
        rows.removeAll { next in
          defer { last = next }
          return next == last
        }
        return rows.isEmpty ? nil : (origin, column.name, rows)
      }
    }
  }

  func text(_ console: Console) throws -> String {
    let style = console.style
    var text = style.heading("\(reader.name) \(reader.label(row))") + "\n"
    let columns = reader.columns
    let width = columns.map { DisplayWidth.of(style.plain(reader.column($0).name)) }.max() ?? 0
    for number in columns {
      let name = style.plain(reader.column(number).name)
      let found = try PropertyPath(number, of: reader).text(row, reader)
      // Control characters would move the cursor of a terminal.
      let value = found.map { console.isTerminal ? DisplayWidth.fitted($0, .max) : $0 } ?? style.faint("null")
      text += "  \(name)\(String(repeating: " ", count: width - DisplayWidth.of(name)))  \(value)\n"
    }
    if groups.isEmpty { return text + "linked to by nothing\n" }
    text += "linked to by\n"
    for group in groups {
      let labels = group.rows.prefix(Self.shownCount).map { group.origin.label($0) }
      let rest = group.rows.count - labels.count
      let place = "\(group.origin.name).\(group.property)"
      text += style.plain("  \(place)  \(labels.joined(separator: ", "))")
      text += rest > 0 ? " and \(Numbers.separated(rest)) more\n" : "\n"
    }
    return text
  }

  func json() throws -> String {
    let writer = JSONText(reader.snapshot)
    var bytes: [UInt8] = []
    bytes += "{\"class\":".utf8
    bytes.appendJSON(reader.name)
    bytes += ",\"object\":".utf8
    try writer.append(row, of: reader, columns: reader.columns, to: &bytes)
    bytes += ",\"incoming\":[".utf8
    var isFirst = true
    for group in groups {
      for origin in group.rows {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        bytes += "{\"class\":".utf8
        bytes.appendJSON(group.origin.name)
        bytes += ",\"property\":".utf8
        bytes.appendJSON(group.property)
        bytes += ",\"key\":".utf8
        writer.append(keyOf: origin, of: group.origin, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
      }
    }
    bytes += "]}\n".utf8
    return String(decoding: bytes, as: UTF8.self)
  }
}
