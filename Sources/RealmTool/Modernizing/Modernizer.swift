/// Rewrites model classes of the old style in several files at once, so that classes derive from those of other files.
struct Modernizer {
  private(set) var files: [(path: String, modernizer: FileModernizer)] = []
  /// The files that are left as they are, with the reason.
  private(set) var refused: [(path: String, reason: String)] = []

  /// - Throws: `ToolError` when a file cannot be read.
  init(paths: [String]) throws {
    var sources: [(path: String, source: SwiftSource)] = []
    for path in paths {
      let bytes = try InputFile(path: path).readAll()
      if String(validating: bytes, as: UTF8.self) == nil {
        refused.append((path, "it is not valid UTF-8"))
      } else if let source = SwiftSource(bytes) {
        sources.append((path, source))
      } else {
        refused.append((path, "its brackets do not match"))
      }
    }
    var superclasses: [String: String] = [:]
    for (_, source) in sources {
      for declaration in ClassDeclaration.all(in: source) {
        if let superclass = declaration.superclass { superclasses[declaration.name] = superclass }
      }
    }
    files = sources.map { ($0.path, FileModernizer($0.source, superclasses: superclasses)) }
    let unwrapped = files.reduce(into: Set<String>()) { $0.formUnion($1.modernizer.unwrapped) }
    for index in files.indices { files[index].modernizer.noteRest(unwrapped: unwrapped) }
  }
}
