import OfficialConversion
import OfficialFiles
import Storage

extension Command {
  static let convert = Command(
    name: "convert", summary: "bring what is in a file of the official Realm SDK to a new file",
    discussion: """
      Reads files of the formats 2 to 24, with their classes, indexes, schema version and all objects; the old file is only \
      read, and must not be written to meanwhile. What can not be carried over is counted: links that sync has not resolved, classes \
      that only a server reads, embedded objects that no object had, and elements of sets that have become equal: dates \
      have the precision of Swift's Date. The new file has the permissions of the old one, and its key, if that has one, unless \
      --new-key-file says otherwise. Interrupted, it leaves nothing.
      """,
    operands: [
      Operand(.file("OLD"), "the file of the official SDK"), Operand(.file("NEW"), "the file to be made"),
    ],
    options: [
      .keyFile, .newKeyFile,
    ],
    examples: [
      Example("realm convert old/default.realm default.realm", "everything in the old file"),
      Example(
        "realm convert old.realm new.realm --key-file old.key --new-key-file new.key",
        "from an encrypted file to one with another key"),
      Example(
        "realm convert old.realm new.realm --key-file old.key --new-key-file none",
        "from an encrypted file to one that is not encrypted"),
    ]
  ) { arguments, console in
    let (old, new) = (arguments.operands[0], arguments.operands[1])
    let key = try KeyFile.read(.keyFile, arguments)
    let newKey = try KeyFile.readNew(arguments, keeping: key)
    let progress = Progress("Converting")
    let report: ConversionReport
    do {
      report = try RealmFile.making(new) {
        try OfficialConversion.run(from: old, key: key, to: new, encryptionKey: newKey) {
          progress.update($0, of: $1)
        }
      }
    } catch let error as OfficialFileError {
      throw ToolError(error.description + advice(error, old))
    }
    progress.finish()
    try console.print("Converted \(Numbers.count(report.objectCount, "object")) to '\(new)'.")
    for line in leftOut(report) { try console.print(line) }
    return .success
  }

  private static func advice(_ error: OfficialFileError, _ path: String) -> String {
    switch error.reason {
    case .notOfficial, .keyNeeded:
      if (try? DatabaseFile.openToRead(path: path)) != nil {
        return "\nIt is a file of this library already: copy it with realm copy."
      }
      return error.reason == .keyNeeded ? "\nGive the key with --key-file." : ""
    case .damaged: return "\nBring what is sound to a new file with: realm salvage '\(path)' NEW"
    case .wrongKey: return "\nThe key is that which the program gave to Realm.Configuration, 64 bytes."
    default: return ""
    }
  }

  /// Returns a line for each kind of what a conversion did not carry over.
  static func leftOut(_ report: ConversionReport) -> [String] {
    var lines = report.asymmetricClasses.sorted { $0.key < $1.key }.map { name, count in
      "Left out: class '\(name)' with \(Numbers.count(count, "object")), which was meant for a server only."
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
    add(report.unresolvedLinks, "link", "to objects that sync had not brought")
    add(report.brokenLinks, "link", "to objects that are not in the file")
    add(
      report.equalElements, "element", "of sets that equal others, with the precision of Date or as Unicode")
    add(report.orphans, "embedded object", "that no object had")
    return lines
  }
}
