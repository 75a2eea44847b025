import LibC
package import OfficialFiles
import Storage

/// Brings what is in a file of the official engine to a new file of ours.
///
/// Objects get their rows in the order of their keys. First all are written with their values, then the indexes are made; each in
/// several transactions, so that memory stays bounded whatever the size of the file.
package enum OfficialConversion {
  /// Creates the new file with the owner and the permissions of the old one. The old file is only read; no program may write to
  /// it during the conversion.
  ///
  /// - Parameters:
  ///   - target: The path of the new file, at which there must be none.
  ///   - progress: Is called from time to time with the number of written objects and the number of all. An error that it throws
  ///     ends the conversion.
  /// - Throws: `OfficialFileError` when the old file cannot be read, `StorageError` when the new one cannot be written. There is
  ///   no new file then.
  package static func run(
    from path: String, key: [UInt8]? = nil, to target: String, encryptionKey: [UInt8]? = nil,
    progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> ConversionReport {
    let file = try OfficialFile(path: path, key: key)
    var report = ConversionReport()
    try DatabaseFile.make(at: target, encryptionKey: encryptionKey, for: permissions(path)) {
      report = try write(file, to: $0, progress)
    }
    return report
  }

  private static func permissions(_ path: String) throws -> FilePermissions {
    guard let permissions = FilePermissions(path: path) else {
      throw OfficialFileError(path: path, reason: .unreadable(errno))
    }
    return permissions
  }

  /// Makes a new file of what is sound in a damaged one. The old one is only read; no program may write to it meanwhile.
  ///
  /// - Parameters:
  ///   - key: That of both files.
  ///   - target: Where nothing may be yet.
  /// - Returns: What was carried over, and what is lost because of damage.
  /// - Throws: `OfficialFileError` when nothing of the old file can be read, `StorageError` when the new one cannot be written. Nothing is
  ///   left there then.
  package static func salvage(
    from path: String, key: [UInt8]? = nil, to target: String,
    progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> (report: ConversionReport, losses: Losses) {
    let file = try OfficialFile(salvaging: path, key: key)
    var report = ConversionReport()
    try DatabaseFile.make(at: target, encryptionKey: key, for: permissions(path)) {
      report = try write(file, to: $0, progress)
    }
    return (report, file.losses ?? Losses())
  }

  /// Makes a new file in the place of the old one, which is kept beside it at `formerPath`. Safe when several threads and
  /// processes do it at once, and when one is killed in the middle.
  ///
  /// - Parameter key: That of both files.
  /// - Returns: Nil when there is no official file at the place any more, because another thread or process has replaced it.
  /// - Throws: As `run`; `StorageError` when something is at `formerPath`. The old file is as it was then.
  package static func replace(
    at path: String, key: [UInt8]? = nil,
    progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> ConversionReport? {
    var report: ConversionReport?
    var file: OfficialFile?
    func isNeeded() throws -> Bool {
      guard try OfficialFileKind(path: path).isOfficial(key) else { return false }
      file = try OfficialFile(path: path, key: key)
      return true
    }
    _ = try DatabaseFile.replace(
      at: path, keeping: formerPath(path), encryptionKey: key, when: isNeeded
    ) { report = try write(file!, to: $0, progress) }
    return report
  }

  /// Where a file is kept that was replaced.
  package static func formerPath(_ path: String) -> String {
    FileLocation(path: path).resolved + ".official"
  }

  private static func write(
    _ file: OfficialFile, to snapshot: Snapshot, _ progress: (_ done: Int, _ total: Int) throws -> Void
  ) throws -> ConversionReport {
    let schema = ConvertedSchema(file)
    let rows = try schema.classes.map { try RowNumbers($0.source) }
    let total = rows.reduce(0) { $0 + $1.count }
    let unresolved = file.unresolvedLinkCount
    let writer = Writer(snapshot)
    try writer.begin()
    try writer.checkSize(of: schema.catalogue(withIndexes: true))
    writer.setCatalogue(schema.catalogue(withIndexes: false))
    var conversion = RowConversion(file, schema, ValueConversion(schema, rows), snapshot)
    try conversion.run { try progress($0, total) }
    var report = conversion.values.report
    report.unresolvedLinks = file.unresolvedLinkCount - unresolved
    try makeIndexes(snapshot, schema, file)
    try file.checkIsUnchanged()
    try writer.commit(durability: .full)
    for table in file.tables {
      if table.className == nil { report.otherTables.append(table.name) }
      if let name = table.className, table.kind == .asymmetric {
        report.asymmetricClasses[name] = table.count
      }
    }
    return report
  }

  /// One at a time is in memory.
  private static func makeIndexes(
    _ snapshot: Snapshot, _ schema: ConvertedSchema, _ file: OfficialFile
  ) throws {
    var catalogue = schema.catalogue(withIndexes: true)
    let writer = Writer(snapshot)
    for (table, description) in schema.tables.enumerated() {
      for (column, description) in description.columns.enumerated()
      where description.isPrimaryKey && writer.hasDuplicates(table: table, columns: [column]) {
        let what = "two objects have the same primary key"
        guard let losses = file.losses else {
          let damage = OfficialFileError.Damaged(
            what: what, className: schema.tables[table].name, property: description.name)
          throw OfficialFileError(path: file.path, reason: .damaged(damage))
        }
        catalogue.tables[table].columns[column].isPrimaryKey = false
        losses.add(.primaryKeys, schema.tables[table].name, description.name, what)
      }
    }
    writer.setCatalogue(catalogue)
    for (table, description) in catalogue.tables.enumerated() {
      for (column, description) in description.columns.enumerated() {
        if description.hasValueIndex { writer.buildIndex(table: table, column: column) }
        if description.isFullText { writer.buildWordIndex(table: table, column: column) }
        guard description.hasValueIndex || description.isFullText else { continue }
        try writer.commit(durability: .relaxed)
        try writer.begin()
      }
    }
  }
}

extension OfficialFileKind {
  /// Whether a file is taken for one that can be converted with a key, or without.
  fileprivate func isOfficial(_ key: [UInt8]?) -> Bool {
    switch self {
    case .official: true
    case .maybeEncrypted: key != nil
    case .other: false
    }
  }
}
