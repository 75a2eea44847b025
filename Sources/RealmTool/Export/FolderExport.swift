import LibC
import Storage

/// Classes as files of a folder, which gets its name when it is whole.
struct FolderExport {
  let file: RealmFile
  let classes: [ClassReader]
  let format: RecordFormat
  let escapesFormulas: Bool

  init(
    _ file: RealmFile, _ classes: [ClassReader], _ format: RecordFormat, escapesFormulas: Bool
  ) {
    self.file = file
    // Embedded objects lie within their parents.
    self.classes = classes.filter { !$0.isEmbedded }
    self.format = format
    self.escapesFormulas = escapesFormulas
  }

  /// - Returns: The number of objects.
  func write(to path: String, _ progress: Progress) throws -> Int {
    let folder = try OutputFolder(path: path, for: FilePermissions(path: file.path))
    let linkedClasses = LinkedClasses(file.version)
    let total = classes.reduce(0) { $0 + $1.count }
    var count = 0
    for reader in classes {
      let done = count
      count += try folder.write(ExportedName.file(reader.name, format.rawValue)) { stream in
        try ClassExport(reader, format, linkedClasses, escapesFormulas: escapesFormulas)
          .write(to: stream) { progress.update(done + $0, of: total) }
      }
    }
    _ = try folder.write(ExportedName.schema) { stream in
      try stream.write(SchemaText(file.catalogue, file.classes.map(\.description)).json)
    }
    try folder.finish()
    return count
  }
}
