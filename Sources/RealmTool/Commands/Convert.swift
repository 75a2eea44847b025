import LibC
import OfficialConversion
import OfficialFiles
import Storage

extension Command {
  static let convert = Command(
    name: "convert", summary: "convert a file of the official Realm SDK to a new file of this library",
    discussion: """
      Reads the formats 2 to 24: classes, indexes, schema version and all objects. The old file is not changed, and no program may write to \
      it at the same time. What cannot be converted is counted: unresolved links of sync, asymmetric classes, embedded objects without a \
      parent, and set elements that become equal because dates have the precision of Swift's Date. The new file has the permissions and the \
      encryption key of the old one, unless --new-key-file names another key or none. When interrupted, it leaves no file.
      """,
    operands: [
      Operand(.file("OLD"), "the file of the official SDK"),
      Operand(.file("NEW"), "the new file, which must not exist"),
    ],
    options: [
      .keyFile, .newKeyFile,
    ],
    examples: [
      Example("realm convert old/default.realm default.realm", "a file without encryption"),
      Example(
        "realm convert old.realm new.realm --key-file old.key --new-key-file new.key",
        "an encrypted file, with a new key"),
      Example(
        "realm convert old.realm new.realm --key-file old.key --new-key-file none",
        "an encrypted file, to a file without encryption"),
    ]
  ) { arguments, console in
    let (old, new) = (arguments.operands[0], arguments.operands[1])
    let key = try KeyFile.read(.keyFile, arguments)
    let newKey = try KeyFile.readNew(arguments, keeping: key)
    let report = try convert(from: old, key: key, to: new, newKey: newKey)
    try console.print("Converted \(Numbers.count(report.objectCount, "object")) to '\(new)'.")
    for line in leftOut(report) { try console.print(line) }
    return .success
  }

  /// Converts a file, with a bar of progress on the standard error.
  ///
  /// - Throws: `ToolError` with advice.
  static func convert(
    from old: String, key: [UInt8]?, to new: String, newKey: [UInt8]?
  ) throws -> ConversionReport {
    let progress = Progress("Converting")
    defer { progress.finish() }
    do {
      return try RealmFile.making(new) {
        try OfficialConversion.run(from: old, key: key, to: new, encryptionKey: newKey) {
          progress.update($0, of: $1)
        }
      }
    } catch let error as OfficialFileError {
      throw ToolError(error.description + advice(error, old))
    }
  }

  private static func advice(_ error: OfficialFileError, _ path: String) -> String {
    switch error.reason {
    case .notOfficial, .keyNeeded:
      if (try? DatabaseFile.open(path: path, readOnly: true)) != nil {
        return "\nIt is a file of this library already: realm copy copies it."
      }
      return error.reason == .keyNeeded ? "\nGive the key with --key-file." : ""
    case .damaged: return "\nCopy what is sound to a new file with: realm salvage '\(path)' NEW"
    case .wrongKey:
      return "\nIt needs the 64 bytes that the program gives as encryptionKey to Realm.Configuration."
    case .unreadable(EACCES): return "\n" + Account.advice(path)
    default: return ""
    }
  }

  /// Returns a line for each kind of content that was not converted.
  static func leftOut(_ report: ConversionReport) -> [String] {
    var lines = report.asymmetricClasses.sorted { $0.key < $1.key }.map { name, count in
      "Left out: class '\(name)' with \(Numbers.count(count, "object")), which is for a server only."
    }
    // What these two have, the schema's version and the primary keys, is in the new file.
    let tables = report.otherTables.filter { $0 != "metadata" && $0 != "pk" }.sorted()
    if !tables.isEmpty {
      let names = tables.map { "'\($0)'" }.joined(separator: ", ")
      lines.append(
        "Left out: \(Numbers.count(tables.count, "table")) of the engine or of sync, which \(tables.count == 1 ? "is no class" : "are no classes"): \(names)."
      )
    }
    func add(_ count: Int, _ noun: String, _ what: String) {
      if count > 0 { lines.append("Left out: \(Numbers.count(count, noun)) \(what).") }
    }
    add(report.unresolvedLinks, "link", "to objects that sync had not downloaded")
    add(report.brokenLinks, "link", "to objects that are not in the file")
    add(
      report.equalElements, "element", "of sets that equal others, with the precision of Date or as Unicode")
    add(report.orphans, "embedded object", "without a parent")
    return lines
  }
}
