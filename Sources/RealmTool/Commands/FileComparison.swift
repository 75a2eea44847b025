import Storage

/// Compares two files.
struct FileComparison {
  private let first: RealmFile
  private let second: RealmFile

  init(_ first: RealmFile, _ second: RealmFile) {
    self.first = first
    self.second = second
  }

  func run(_ report: inout DifferenceReport) throws {
    let (classesOfA, classesOfB) = (first.classes, second.classes)
    for name in Self.names(classesOfA.map(\.name), classesOfB.map(\.name)) {
      let a = classesOfA.first { $0.name.isExactly(name) }
      let b = classesOfB.first { $0.name.isExactly(name) }
      if let a, let b {
        try compare(a, b, &report)
      } else {
        try report.add(a == nil ? .added : .removed, name, key: nil)
      }
    }
  }

  /// The names of both files, each once, compared by bytes.
  private static func names(_ a: [String], _ b: [String]) -> [String] {
    Set((a + b).map { ExactText($0) }).map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func column(_ name: String, _ reader: ClassReader) -> Int? {
    reader.columns.first { reader.column($0).name.isExactly(name) }
  }

  private func compare(_ a: ClassReader, _ b: ClassReader, _ report: inout DifferenceReport) throws {
    func describe(_ reader: ClassReader, _ name: String) -> String? {
      Self.column(name, reader).map { number in
        let column = reader.column(number)
        let parts =
          [
            TypeNames.name(column),
            column.target < 0 ? nil : "of \(reader.snapshot.catalogue.tables[column.target].name)",
            column.isDeclaredOptional ? "optional" : nil,
          ].compactMap { $0 } + SchemaText.notes(column)
        return parts.joined(separator: ", ")
      }
    }
    if a.isEmbedded != b.isEmbedded {
      try report.add(.changed, a.name, key: nil, "embedded in one file only")
    }
    for name in Self.names(a.columns.map { a.column($0).name }, b.columns.map { b.column($0).name }) {
      let (before, after) = (describe(a, name), describe(b, name))
      if before == after { continue }
      try report.add(
        before == nil ? .added : after == nil ? .removed : .changed, "\(a.name).\(name)", key: nil,
        before == nil ? after : after == nil ? before : "\(before!) → \(after!)")
    }
    let (indexesOfA, indexesOfB) = (Self.indexes(a), Self.indexes(b))
    for text in indexesOfA where !indexesOfB.contains(text) {
      try report.add(.changed, a.name, key: nil, "\(text) in A only")
    }
    for text in indexesOfB where !indexesOfA.contains(text) {
      try report.add(.changed, a.name, key: nil, "\(text) in B only")
    }
    // They are compared within what has them.
    if a.isEmbedded || b.isEmbedded { return }
    if let keyOfA = a.key, let keyOfB = b.key, Self.isSame(keyOfA, a, keyOfB, b) {
      try compare(a, keyOfA, b, keyOfB, &report)
    } else {
      try compareByValues(a, b, &report)
    }
  }

  /// The indexes over several properties.
  private static func indexes(_ reader: ClassReader) -> [String] {
    reader.description.indexes.map { index in
      PlannedIndex.text(index.kind, index.columns.map { reader.column($0).name })
    }
  }

  private static func isSame(
    _ keyOfA: PrimaryKey, _ a: ClassReader, _ keyOfB: PrimaryKey, _ b: ClassReader
  ) -> Bool {
    keyOfA.columns.count == keyOfB.columns.count
      && zip(keyOfA.columns, keyOfB.columns).allSatisfy {
        a.column($0).name.isExactly(b.column($1).name) && a.column($0).type == b.column($1).type
      }
  }

  // MARK: By primary keys

  private struct Pair {
    let name: String
    let first: Int
    let second: Int
    /// Whether the values themselves can be compared.
    let isPlain: Bool
  }

  private func compare(
    _ a: ClassReader, _ keyOfA: PrimaryKey, _ b: ClassReader, _ keyOfB: PrimaryKey,
    _ report: inout DifferenceReport
  ) throws {
    let pairs = a.columns.compactMap { number -> Pair? in
      let column = a.column(number)
      guard !keyOfA.columns.contains(number), let other = Self.column(column.name, b) else {
        return nil
      }
      let isPlain =
        column.collection == .none && column.type != .link && column.type != .mixed
        && b.column(other).type == column.type && b.column(other).collection == .none
      return Pair(name: column.name, first: number, second: other, isPlain: isPlain)
    }
    try a.forEachRow { row in
      b.pause(at: row)
      guard let other = keyOfB.row(keyOfA.values(a.table, row), in: b.snapshot) else {
        return try report.add(.removed, a.name, key: a.label(row))
      }
      var details: [String] = []
      for pair in pairs {
        if pair.isPlain, a.table.value(pair.first, row).isExactly(b.table.value(pair.second, other)) {
          continue
        }
        let (before, after) = (try text(a, row, pair.first), try text(b, other, pair.second))
        if !before.isExactly(after) { details.append("\(pair.name): \(before) → \(after)") }
      }
      if !details.isEmpty {
        try report.add(.changed, a.name, key: a.label(row), details.joined(separator: ", "))
      }
    }
    try b.forEachRow { row in
      a.pause(at: row)
      if keyOfA.row(keyOfB.values(b.table, row), in: a.snapshot) == nil {
        try report.add(.added, b.name, key: b.label(row))
      }
    }
  }

  private func text(_ reader: ClassReader, _ row: Int, _ column: Int) throws -> String {
    var bytes: [UInt8] = []
    try JSONText(reader.snapshot, sortsSets: true).append(
      row, column, reader.column(column), reader.table, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: By all values

  private func compareByValues(_ a: ClassReader, _ b: ClassReader, _ report: inout DifferenceReport) throws {
    var counts: [[UInt8]: Int] = [:]
    let columns = a.columns.filter { Self.column(a.column($0).name, b) != nil }
    try a.forEachRow { counts[try content(a, $0, columns), default: 0] += 1 }
    let others = columns.map { Self.column(a.column($0).name, b)! }
    try b.forEachRow { row in
      let content = try content(b, row, others)
      if let count = counts[content], count > 0 {
        counts[content] = count == 1 ? nil : count - 1
      } else {
        try report.add(.added, b.name, key: b.label(row), String(decoding: content, as: UTF8.self))
      }
    }
    if counts.isEmpty { return }
    try a.forEachRow { row in
      let content = try content(a, row, columns)
      guard let count = counts[content], count > 0 else { return }
      counts[content] = count - 1
      try report.add(.removed, a.name, key: a.label(row), String(decoding: content, as: UTF8.self))
    }
  }

  private func content(_ reader: ClassReader, _ row: Int, _ columns: [Int]) throws -> [UInt8] {
    let text = JSONText(reader.snapshot, sortsSets: true)
    var bytes: [UInt8] = [UInt8(ascii: "{")]
    for (position, number) in columns.enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.appendJSON(reader.column(number).name)
      bytes.append(UInt8(ascii: ":"))
      try text.append(row, number, reader.column(number), reader.table, to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }
}
