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
    /// Notes for the user about the sources.
    var notes: [String] = []
  }

  let path: String
  let key: [UInt8]?
  let declared: (classes: [ClassPlan], version: UInt64)
  let options: ImportOptions
  private let sources: [ImportSource]
  private let input = SpooledInput()
  /// Number of objects in one transaction of a new file, which limits the use of memory.
  private static let part = 50_000

  init(
    path: String, key: [UInt8]?, sources: [ImportSource],
    declared: (classes: [ClassPlan], version: UInt64), options: ImportOptions
  ) throws {
    self.path = path
    self.key = key
    self.declared = declared
    self.options = options
    let input = self.input
    self.sources = try sources.flatMap { try $0.classes(input) }
    try options.checkForms(self.sources)
  }

  /// A new file is made of several transactions, and gets its name at the end; a file that is there gets all in one.
  func run() throws -> Outcome {
    if InputFile.exists(path) {
      // Reading a pipe may take long: during that time no snapshot is pinned and no writer lock is held.
      for source in sources { try source.keep(input) }
      let inferred = try infer(beside: WritableFile.open(path, key: key).catalogue)
      let snapshot = try WritableFile.open(path, key: key)
      return try WritableFile.write(snapshot) { try write(snapshot, inferred) {} }
    }
    let inferred = try infer(beside: Catalogue())
    var outcome = Outcome()
    try DatabaseFile.make(at: path, encryptionKey: key) { snapshot in
      let writer = Writer(snapshot)
      try writer.begin()
      outcome = try write(snapshot, inferred) {
        try writer.commit(durability: .relaxed)
        try writer.begin()
      }
      try writer.commit(durability: .full)
    }
    return outcome
  }

  /// The classes of sources that neither the file nor the schema has.
  private func infer(beside catalogue: Catalogue) throws -> [ClassPlan] {
    // Before the sources are read, which may take long.
    _ = try ClassPlan.add(declared.classes, to: catalogue)
    var values: [(name: String, values: InferredValues)] = []
    for source in sources where properties(of: source.className, in: catalogue) == nil {
      let place = values.firstIndex { $0.name == source.className } ?? values.count
      if place == values.count { values.append((source.className, InferredValues())) }
      let inferred = values[place].values
      _ = try forEachRecord(source, "Reading", catalogue) {
        inferred.note($0, at: SourcePlace(source: source.name, line: $1))
      }
    }
    try options.checkTypes(values.map { ($0.name, $0.values.names) })
    let names = catalogue.tables.filter { !$0.isRemoved }.map(\.name) + declared.classes.map(\.name)
    var classes = InferredClasses(besides: Set(names + values.map(\.name)))
    for (name, values) in values {
      if values.count == 0 {
        let found = sources.filter { $0.className == name }
        // Files that have all classes have those without objects, too.
        if found.allSatisfy({ $0.part != nil }) { continue }
        let names = found.map { "'\($0.name)'" }.joined(separator: ", ")
        throw ToolError(
          "\(names): there are no objects to infer the properties of class '\(name)' from: leave it out, or describe the class with --schema. Nothing was imported."
        )
      }
      let place = classes.add(ClassPlan(name: name))
      let key = keyProperties(values)
      classes.plans[place].properties = try values.properties(
        of: name, key: key.count == 1 ? key[0] : nil, type: { options.type(of: $0, in: name) }, &classes)
      try checkKey(key, classes.plans[place])
      if key.count > 1 { classes.plans[place].indexes = [PlannedIndex(.primaryKey, key)] }
    }
    return classes.plans
  }

  /// Returns the names of the properties of a class that is known; nil for a class that is to be inferred.
  private func properties(of className: String, in catalogue: Catalogue) -> [String]? {
    if let table = catalogue.table(named: className) { return catalogue.tables[table].columns.map(\.name) }
    return declared.classes.first { $0.name == className }.map { $0.properties.map(\.column.name) }
  }

  /// The properties that are to be the primary key, none without one. A name may have commas in it.
  private func keyProperties(_ values: InferredValues) -> [String] {
    guard let keyProperty = options.keyProperty else { return [] }
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
      throw UsageError("--key-property: '\(options.keyProperty ?? "")' names a property twice.")
    }
  }

  private func write(
    _ snapshot: Snapshot, _ inferred: [ClassPlan], _ commit: () throws -> Void
  ) throws -> Outcome {
    var outcome = Outcome(inferred: inferred)
    var catalogue = try ClassPlan.add(declared.classes + inferred, to: snapshot.catalogue)
    if !snapshot.hasCatalogue { catalogue.schemaVersion = declared.version }
    try Writer(snapshot).checkSize(of: catalogue)
    if catalogue != snapshot.catalogue { Writer(snapshot).setCatalogue(catalogue) }
    let writer = ObjectWriter(
      snapshot, options.policy, ignoresUnknown: options.ignoresUnknown, numericDates: options.numericDates,
      adviceOnUnknown: " (\(ImportOptions.unknownOption.name) leaves such keys out)")
    var count = 0
    for source in sources {
      guard let table = snapshot.catalogue.table(named: source.className) else {
        outcome.notes.append(
          "\(source.name): class '\(source.className)' has no objects that would tell its properties, and was left out."
        )
        continue
      }
      if snapshot.catalogue.tables[table].isEmbedded {
        throw UsageError(
          "Class '\(source.className)' is embedded: its objects are imported with their parents.")
      }
      let reader = ClassReader(snapshot, table)
      let isRepeated =
        !reader.hasKey && reader.count > 0
        && !outcome.counts.contains { $0.name == source.className }
      var counts = (added: 0, updated: 0, unchanged: 0)
      writer.place.source = source.name
      outcome.notes += try forEachRecord(source, "Importing", catalogue) { record, line in
        writer.place.line = line
        do {
          switch try writer.write(record, to: table) {
          case .added: counts.added += 1
          case .updated: counts.updated += 1
          case .unchanged: counts.unchanged += 1
          }
        } catch let fault as ValueFault {
          throw SourceError(line: line, message: fault.message)
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
    if writer.ignored.count > 0 {
      let (count, first) = writer.ignored
      let keys = count == 1 ? "1 key that is" : "\(Numbers.separated(count)) keys that are"
      outcome.notes.append("Left out \(keys) the name of no property: the first is \(first).")
    }
    return outcome
  }

  /// Calls the body with each record of a source and its line. Returns what the user should know of the source.
  private func forEachRecord(
    _ source: ImportSource, _ title: String, _ catalogue: Catalogue, _ body: (Record, Int) throws -> Void
  ) throws -> [String] {
    let known = Set((properties(of: source.className, in: catalogue) ?? []).map { ExactText($0) })
    var (records, size) = try source.open(input, options.csv) { known.contains(ExactText($0)) }
    let progress = Progress("\(title) \(source.name)")
    do {
      try records.read {
        progress.update($0, of: size, unit: "bytes")
      } _: {
        try body($0, $0.line)
      }
    } catch let error as SourceError {
      throw ToolError("\(source.name), line \(error.line): \(error.message). Nothing was imported.")
    }
    return records.notes.map { "\(source.name): \($0)" }
  }
}
