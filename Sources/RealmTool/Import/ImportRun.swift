import RealmSwift
import Storage

/// One import: all of its sources, or nothing.
struct ImportRun {
  struct Outcome {
    /// What was inferred.
    var inferred: [ClassPlan] = []
    /// By class, in the order of the sources.
    var counts: [(name: String, source: String, added: Int, updated: Int, unchanged: Int)] = []
    /// The classes without primary keys that had objects before.
    var repeated: Set<String> = []
  }

  let path: String
  let key: [UInt8]?
  let sources: [ImportSource]
  let declared: (classes: [ClassPlan], version: UInt64)
  let keyProperty: String?
  let policy: UpdatePolicy
  let ignoresUnknown: Bool
  private let input = SpooledInput()
  /// What a new file takes in one transaction: so memory does not grow with the sources.
  private static let part = 50_000

  init(
    path: String, key: [UInt8]?, sources: [ImportSource],
    declared: (classes: [ClassPlan], version: UInt64), keyProperty: String?, policy: UpdatePolicy,
    ignoresUnknown: Bool
  ) {
    self.path = path
    self.key = key
    self.sources = sources
    self.declared = declared
    self.keyProperty = keyProperty
    self.policy = policy
    self.ignoresUnknown = ignoresUnknown
  }

  /// A new file is made of several transactions, and gets its name at the end; a file that is there gets all in one.
  func run() throws -> Outcome {
    if InputFile.exists(path) {
      // Reading the sources may take long, and must neither keep a version nor hold the writer lock.
      for source in sources { try source.keep(input) }
      let inferred = try infer(beside: WritableFile.open(path, key: key).catalogue)
      let snapshot = try WritableFile.open(path, key: key)
      return try WritableFile.write(snapshot) { try write(snapshot, inferred) {} }
    }
    let inferred = try infer(beside: Catalogue())
    var outcome = Outcome()
    try DatabaseFile.make(at: path, encryptionKey: key) { snapshot in
      try snapshot.beginWrite()
      outcome = try write(snapshot, inferred) {
        try snapshot.commitWrite(durability: .relaxed)
        try snapshot.beginWrite()
      }
      try snapshot.commitWrite(durability: .full)
    }
    return outcome
  }

  /// The classes of sources that neither the file nor the schema has.
  private func infer(beside catalogue: Catalogue) throws -> [ClassPlan] {
    // Before the sources are read, which may take long.
    _ = try ClassPlan.add(declared.classes, to: catalogue)
    var values: [(name: String, values: InferredValues)] = []
    for source in sources
    where catalogue.table(named: source.className) == nil
      && !declared.classes.contains(where: { $0.name == source.className })
    {
      let place = values.firstIndex { $0.name == source.className } ?? values.count
      if place == values.count { values.append((source.className, InferredValues())) }
      try forEachRecord(source, "Looking at") { values[place].values.noteRecord($0.members) }
    }
    var plans: [ClassPlan] = []
    let roots = Set(values.map(\.name))
    for (name, values) in values {
      if values.count == 0 {
        let names = sources.filter { $0.className == name }.map { "'\($0.name)'" }.joined(separator: ", ")
        throw ToolError(
          "\(names): there are no objects, so that nothing tells what properties class '\(name)' has. Leave it out, or describe the class with --schema. Nothing was imported."
        )
      }
      let place = plans.count
      plans.append(ClassPlan(name: name))
      let key = keyProperties(values)
      plans[place].properties = values.properties(
        of: name, key: key.count == 1 ? key[0] : nil,
        isTaken: { candidate in
          catalogue.table(named: candidate) != nil || roots.contains(candidate)
            || declared.classes.contains { $0.name == candidate }
        }, &plans)
      try checkKey(key, plans[place])
      if key.count > 1 { plans[place].indexes = [PlannedIndex(.primaryKey, key)] }
    }
    return plans
  }

  /// The properties that are to be the primary key, none without one. A name may have commas in it.
  private func keyProperties(_ values: InferredValues) -> [String] {
    guard let keyProperty else { return [] }
    if values.members[ExactText(keyProperty)] != nil { return [keyProperty] }
    return keyProperty.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingSpaces() }
  }

  private func checkKey(_ key: [String], _ plan: ClassPlan) throws {
    for name in key {
      guard let property = plan.properties.first(where: { $0.column.name.isExactly(name) }) else {
        throw UsageError(
          "--key-property: class '\(plan.name)' has no property '\(name)'."
            + Spelling.suggestion(for: name, among: plan.properties.map(\.column.name)))
      }
      let types: [ValueType] =
        [.int, .string, .objectId, .uuid] + (key.count > 1 ? [.bool, .date] : [])
      guard property.column.collection == .none, types.contains(property.column.type) else {
        throw UsageError(
          "--key-property: '\(plan.name).\(name)' is of type \(TypeNames.name(property.column)): \(key.count > 1 ? "the properties of a primary key" : "primary keys") are \(types.map { TypeNames.name($0) }.joined(separator: ", "))."
        )
      }
    }
    if Set(key.map { ExactText($0) }).count != key.count {
      throw UsageError("--key-property: '\(keyProperty ?? "")' names a property twice.")
    }
  }

  private func write(
    _ snapshot: Snapshot, _ inferred: [ClassPlan], _ commit: () throws -> Void
  ) throws -> Outcome {
    var outcome = Outcome(inferred: inferred)
    var catalogue = try ClassPlan.add(declared.classes + inferred, to: snapshot.catalogue)
    if !snapshot.hasCatalogue { catalogue.schemaVersion = declared.version }
    try snapshot.checkSize(of: catalogue)
    if catalogue != snapshot.catalogue { snapshot.setCatalogue(catalogue) }
    let writer = ObjectWriter(snapshot, policy, ignoresUnknown: ignoresUnknown)
    var count = 0
    for source in sources {
      guard let table = snapshot.catalogue.table(named: source.className) else { continue }
      if snapshot.catalogue.tables[table].isEmbedded {
        throw UsageError(
          "Class '\(source.className)' is embedded: its objects come with those that have them.")
      }
      let reader = ClassReader(snapshot, table)
      let isRepeated =
        !reader.hasKey && reader.count > 0
        && !outcome.counts.contains { $0.name == source.className }
      var counts = (added: 0, updated: 0, unchanged: 0)
      try forEachRecord(source, "Importing") { record in
        writer.place = "\(source.name), line \(record.line)"
        do {
          switch try writer.write(record.members, to: table).outcome {
          case .added: counts.added += 1
          case .updated: counts.updated += 1
          case .unchanged: counts.unchanged += 1
          }
        } catch let fault as ValueFault {
          throw SourceError(line: record.line, message: fault.message)
        }
        count += 1
        if count % Self.part == 0 { try commit() }
      }
      if isRepeated && counts.added > 0 { outcome.repeated.insert(source.className) }
      outcome.counts.append((source.className, source.name, counts.added, counts.updated, counts.unchanged))
    }
    do {
      try writer.finish()
    } catch let fault as ValueFault {
      throw ToolError("\(writer.place): \(fault.message). Nothing was imported.")
    }
    return outcome
  }

  private func forEachRecord(_ source: ImportSource, _ title: String, _ body: (Record) throws -> Void) throws
  {
    var (records, size) = try source.open(input)
    let progress = Progress("\(title) \(source.name)")
    do {
      while let record = try records.next() {
        try body(record)
        progress.update(records.position, of: size, unit: "bytes")
      }
    } catch let error as SourceError {
      throw ToolError("\(source.name), line \(error.line): \(error.message). Nothing was imported.")
    }
  }
}
