/// Reads the tables of a damaged file.
struct FileSalvage {
  let path: String
  let content: FileContent
  let counts: ReadingCounts
  private let losses: Losses

  init(path: String, content: FileContent, losses: Losses) {
    self.path = path
    self.content = content
    self.losses = losses
    counts = ReadingCounts(losses: losses)
  }

  private var place: Place { Place(path: path) }

  /// - Throws: `Damage` when the top array cannot be read.
  func tables(_ header: FileHeader) throws -> [OfficialTable] {
    guard let top = header.top else { return [] }
    let group = try Group(content, header, top, isSalvaging: true)
    let space = group.space
    try RefusedReferences.mark(
      space, memory: content.writable(path: path), from: top, emptyPages: content.emptyPages)
    let entries = try group.tables(noting: losses, place)
    let hasClusters = header.format >= FileHeader.clusterFormat
    let keys = try entries.map { entry -> Int? in
      guard let entry else { return nil }
      let place = TableName(entry.name, path: path).place
      return try losses.noting(.classes, place, count: nil) {
        hasClusters ? try ClusterTable.key(space, entry.reference, slot: entry.slot) : entry.slot
      }
    }
    // A number that no link has.
    let numbers = TableNumbers(keys.enumerated().map { $1 ?? -1 - $0 })
    let source = ValueSource(
      path: path, content: content, space: space, format: header.format, tables: numbers, counts: counts)
    var tables: [OfficialTable] = []
    for (number, entry) in entries.enumerated() {
      guard let entry, keys[number] != nil else { continue }
      let name = TableName(entry.name, path: path)
      let table = try losses.noting(.classes, name.place, count: nil) {
        try hasClusters
          ? ClusterTable(source, name, entry.reference).table(number)
          : IndexedTable(source, name, entry.reference).table(number)
      }
      if let table { tables.append(table) }
    }
    if !hasClusters {
      _ = try losses.noting(.primaryKeys, place, count: nil) { try tables.findPrimaryKeys() }
    }
    return tables
  }

  func schemaVersion(_ tables: [OfficialTable]) -> UInt64? {
    (try? losses.noting(.schemaVersion, place, count: nil) { try tables.schemaVersion() }) ?? nil
  }
}
