import Foundation
import RealmSwift
import Storage

extension Command {
  static let info = Command(
    name: "info",
    summary: "print classes, numbers of objects, sizes, versions, and the processes that read a file",
    discussion: """
      The columns values and indexes are the bytes of stored values with collections, and of indexes, for each class; with --properties \
      also for each property. The rest of the file is free pages, older versions that readers pin, the log of changes, and the unused part \
      of pages. readers lists the other processes that pin a version: of several without write permission that pin one version, one.
      """,
    operands: [Operand(.file("FILE"), "the Realm file")],
    options: [properties, .json, .keyFile],
    examples: [
      Example("realm info world.realm", "an overview"),
      Example("realm info world.realm --properties", "the size of each property"),
      Example("realm info secret.realm --key-file key --json", "an encrypted file, as JSON"),
    ]
  ) { arguments, console in
    let file = try RealmFile.open(arguments)
    let information = try FileInformation(file)
    if arguments.has(.json) {
      try console.output.write(information.json)
    } else {
      try console.output.write(
        information.text(console, withProperties: arguments.has(properties)))
    }
    return .success
  }

  private static let properties = CommandOption("--properties", nil, "print the bytes of each property")
}

/// The content of `realm info`.
private struct FileInformation {
  let file: RealmFile
  let diagnostics: Realm.Diagnostics
  let sizes: StoredSizes

  init(_ file: RealmFile) throws {
    self.file = file
    diagnostics = file.realm.diagnostics
    sizes = try StoredSizes(file.version)
  }

  /// The readers of other processes, each version of a process once.
  private var readers: [Realm.Diagnostics.Reader] {
    var found: [Realm.Diagnostics.Reader] = []
    for reader in diagnostics.readers
    where ["the process ", "a process of another container"].contains(where: reader.owner.hasPrefix)
      && !found.contains(where: { $0.owner == reader.owner && $0.version == reader.version })
    {
      found.append(reader)
    }
    return found
  }

  private func bytes(_ reader: ClassReader) -> (values: Int, indexes: Int) {
    let columns = [-1] + Array(reader.description.columns.indices)
    return columns.reduce(into: (0, 0)) { sum, column in
      let (values, indexes) = bytes(reader, column)
      sum.0 += values
      sum.1 += indexes
    }
  }

  private func bytes(_ reader: ClassReader, _ column: Int) -> (values: Int, indexes: Int) {
    let place = StoredSizes.Place(table: reader.number, column: column)
    return (sizes.values[place] ?? 0, sizes.indexes[place] ?? 0)
  }

  func text(_ console: Console, withProperties: Bool) -> String {
    let used = Numbers.bytes(diagnostics.usedSize)
    var lines = [
      "\(console.style.heading("file")):     \(console.style.plain(file.path))",
      "size:     \(Numbers.bytes(diagnostics.fileSize)), \(used) of them in use",
      "version:  \(Numbers.separated(Int(diagnostics.newestVersion)))",
      "schema:   version \(Numbers.separated(Int(clamping: file.catalogue.schemaVersion)))",
      "key:      \(file.key == nil ? "not encrypted" : "encrypted")",
      "objects:  \(Numbers.separated(file.classes.reduce(0) { $0 + $1.count }))",
    ]
    if readers.isEmpty { lines.append("readers:  none but this process") }
    for (position, reader) in readers.enumerated() {
      let version = Numbers.separated(Int(reader.version))
      lines.append("\(position == 0 ? "readers:" : "        ")  \(reader.owner), version \(version)")
    }
    var text = lines.joined(separator: "\n") + "\n"
    if file.classes.isEmpty { return text }
    var cells: [[String?]] = []
    for reader in file.classes {
      let (values, indexes) = bytes(reader)
      cells.append([
        reader.name + (reader.isEmbedded ? " (embedded)" : ""), Numbers.separated(reader.count),
        Numbers.bytes(values), Numbers.bytes(indexes),
      ])
      guard withProperties else { continue }
      for column in reader.columns {
        let (values, indexes) = bytes(reader, column)
        cells.append([
          "  " + reader.column(column).name, "", Numbers.bytes(values),
          indexes == 0 ? "" : Numbers.bytes(indexes),
        ])
      }
    }
    text +=
      "\n"
      + TextGrid.text(
        [
          .init("class"), .init("objects", isNumeric: true), .init("values", isNumeric: true),
          .init("indexes", isNumeric: true),
        ], cells, width: console.width, style: console.style)
    return text
  }

  var json: String {
    var bytes: [UInt8] = []
    bytes += "{\n  \"path\": ".utf8
    bytes.appendJSON(file.path)
    bytes += ",\n  \"size\": \(diagnostics.fileSize),\n  \"usedSize\": \(diagnostics.usedSize)".utf8
    bytes += ",\n  \"version\": \(diagnostics.newestVersion)".utf8
    bytes += ",\n  \"schemaVersion\": \(file.catalogue.schemaVersion)".utf8
    bytes += ",\n  \"encrypted\": \(file.key != nil),\n  \"readers\": [".utf8
    for (position, reader) in readers.enumerated() {
      if position > 0 { bytes += ", ".utf8 }
      bytes += "{\"owner\": ".utf8
      bytes.appendJSON(reader.owner)
      bytes += ", \"version\": \(reader.version)}".utf8
    }
    bytes += "],\n  \"classes\": [".utf8
    for (position, reader) in file.classes.enumerated() {
      bytes += (position == 0 ? "\n    " : ",\n    ").utf8
      appendClass(reader, to: &bytes)
    }
    bytes += "\n  ]\n}\n".utf8
    return String(decoding: bytes, as: UTF8.self)
  }

  private func appendClass(_ reader: ClassReader, to text: inout [UInt8]) {
    let (values, indexes) = bytes(reader)
    text += "{\"name\": ".utf8
    text.appendJSON(reader.name)
    text += ", \"embedded\": \(reader.isEmbedded), \"objects\": \(reader.count)".utf8
    text += ", \"valueBytes\": \(values), \"indexBytes\": \(indexes), \"properties\": [".utf8
    for (position, column) in reader.columns.enumerated() {
      let (values, indexes) = bytes(reader, column)
      text += (position == 0 ? "\n      {\"name\": " : ",\n      {\"name\": ").utf8
      text.appendJSON(reader.column(column).name)
      text += ", \"valueBytes\": \(values), \"indexBytes\": \(indexes)}".utf8
    }
    text += "\n    ]}".utf8
  }
}
