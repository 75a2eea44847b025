/// A `.realm` file that the official engine has written, opened for reading.
///
/// Opening looks at every node once, so that what is read afterwards can neither lead out of the file nor in circles; the
/// content of nodes is checked when it is read. Whatever the file holds, reading ends with values or an
/// `OfficialFileError`, and needs time and memory in proportion to the size of the file.
///
/// No process may write to the file while it is open here: the engine does not know of this reader. `checkIsUnchanged` detects
/// such writes. Small and encrypted files are copied when they are opened, so that what is read of them is one state in any
/// case; but it may be an older one.
package final class OfficialFile {
  package let path: String
  /// The number of the file format.
  package let format: Int
  /// What the program has called its schema; nil when it never did.
  package private(set) var schemaVersion: UInt64?
  package private(set) var tables: [OfficialTable] = []
  /// What is left out; nil for a file that was opened to be read as a whole.
  package let losses: Losses?
  private let content: FileContent
  private let counts: ReadingCounts

  /// The tables that are classes of the SDKs.
  package var classes: [OfficialTable] { tables.filter { $0.className != nil } }

  /// Number of links read so far, on any thread, whose objects sync has not downloaded: they are read as null, and left out of
  /// lists and sets.
  package var unresolvedLinkCount: Int { counts.unresolvedLinks }

  /// - Parameter key: The 64 bytes of an encrypted file.
  package convenience init(path: String, key: [UInt8]? = nil) throws(OfficialFileError) {
    try self.init(path: path, FileContent.read(path, key: key))
  }

  /// - Parameter content: That of the file, decrypted and with the mark.
  init(path: String, _ content: FileContent) throws(OfficialFileError) {
    self.path = path
    self.content = content
    losses = nil
    counts = ReadingCounts()
    let place = Place(path: path)
    let header: FileHeader
    do {
      header = try FileHeader(content.bytes)
      format = header.format
    } catch { throw place.fileError(error) }
    if let refusal = header.refusal { throw OfficialFileError(path: path, reason: refusal) }
    do { try readTables(header) } catch { throw place.fileError(error) }
  }

  /// Opens a damaged file to read what is sound in it.
  ///
  /// - Parameter key: The 64 bytes of an encrypted file.
  /// - Throws: `OfficialFileError` when nothing can be read: it is no file of the official engine, the key is another one, or neither of
  ///   its two top arrays can be read.
  package init(salvaging path: String, key: [UInt8]? = nil) throws(OfficialFileError) {
    self.path = path
    var content = try FileContent.read(path, key: key, isSalvaging: true)
    var failure: OfficialFileError?
    for (number, header) in FileHeader.candidates(content.bytes).enumerated() {
      // The attempt before has changed references in its copy.
      if number > 0 { content = try FileContent.read(path, key: key, isSalvaging: true) }
      let losses = Losses()
      let salvage = FileSalvage(path: path, content: content, losses: losses)
      do {
        let found = try salvage.tables(header)
        (self.losses, counts, format) = (losses, salvage.counts, header.format)
        self.content = content
        tables = found
        schemaVersion = salvage.schemaVersion(found)
        return
      } catch {
        failure = failure ?? Place(path: path).fileError(error)
      }
    }
    // Without any the strict reader says why.
    if let failure { throw failure }
    let strict = try OfficialFile(path: path, content)
    (losses, counts, format) = (Losses(), strict.counts, strict.format)
    self.content = content
  }

  /// Throws when another process has written to the file since it was opened: what was read may then be meaningless.
  package func checkIsUnchanged() throws(OfficialFileError) {
    if !content.isUnchanged { throw OfficialFileError(path: path, reason: .inUse) }
  }

  private func readTables(_ header: FileHeader) throws {
    guard let top = header.top else { return }
    let group = try Group(content, header, top)
    let space = group.space
    try NodeClaims.check(space, from: top, emptyPages: content.emptyPages)
    let entries = try group.tables()
    let hasClusters = format >= FileHeader.clusterFormat
    let keys = try entries.map {
      hasClusters ? try ClusterTable.key(space, $0.reference, slot: $0.slot) : $0.slot
    }
    let source = ValueSource(
      path: path, content: content, space: space, format: format, tables: TableNumbers(keys), counts: counts)
    var names: Set<String> = []
    for (number, entry) in entries.enumerated() {
      let name = TableName(entry.name, path: path)
      guard names.insert(entry.name).inserted else { throw Damage("two tables '\(entry.name)'") }
      tables.append(
        try name.place.locating {
          try hasClusters
            ? ClusterTable(source, name, entry.reference).table(number)
            : IndexedTable(source, name, entry.reference).table(number)
        })
    }
    if !hasClusters { try tables.findPrimaryKeys() }
    schemaVersion = try tables.schemaVersion()
  }
}

extension [OfficialTable] {
  /// The one value of a table that is there for it.
  func schemaVersion() throws -> UInt64? {
    guard let table = first(where: { $0.name == "metadata" }),
      let property = table.properties.firstIndex(where: {
        $0.name == "version" && $0.type == .int && $0.collection == nil
      })
    else { return nil }
    var version: UInt64?
    var isFirst = true
    try table.forEachBlock { block in
      if !isFirst || block.count == 0 { return }
      isFirst = false
      try block.forEachValue(ofProperty: property) { row, value in
        if row == 0, case .int(let number) = value { version = UInt64(bitPattern: number) }
      }
    }
    return version == .max ? nil : version
  }
}
