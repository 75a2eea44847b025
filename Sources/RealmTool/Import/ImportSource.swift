import LibC

/// A file with objects of one class.
struct ImportSource {
  enum Form: String, CaseIterable, Sendable {
    case json, jsonl, csv
  }

  private(set) var className: String
  let form: Form
  /// As messages name it.
  let name: String
  private let path: String
  /// Whether the user has named the class of the objects.
  private let isClassGiven: Bool
  /// The part of the file that has the objects; nil when all of it has.
  private(set) var part: JSONPart?

  /// Reads a source that can be read only once, such as a pipe, into a temporary file.
  func keep(_ input: SpooledInput) throws { try input.keep(path) }

  /// - Throws: `UsageError` when nothing says what it is.
  init(path: String, className: String?, form: String?) throws {
    self.path = path
    name = InputFile.name(path)
    let file = path.split(separator: "/").last.map(String.init) ?? path
    let parts = file.split(separator: ".").map(String.init)
    guard let form = form.flatMap(Form.init) ?? Self.form(parts.last ?? "") else {
      throw Compression(ending: parts.last ?? "").map { Self.compressed(path, parts, $0) }
        ?? UsageError("'\(path)': its name does not end in a known format: add --format json, jsonl or csv.")
    }
    self.form = form
    isClassGiven = className != nil
    self.className = className ?? (Self.isNameless(path) ? "" : parts.first ?? "")
    if self.className.isEmpty && form != .json { throw missingClass }
  }

  private static func compressed(_ path: String, _ parts: [String], _ compression: Compression) -> UsageError
  {
    let form = self.form(parts.dropLast().last ?? "")?.rawValue ?? "json|jsonl|csv"
    return UsageError(
      "'\(path)' is compressed: decompress it, as in \(compression.command) '\(path)' | realm import FILE - --class \(parts[0]) --format \(form)."
    )
  }

  private var missingClass: UsageError {
    UsageError("--class is missing: it names the class of the objects in \(name).")
  }

  /// Returns a source for each class of a file that has an array of objects for each, as Realm Studio saves them; else the
  /// source itself.
  func classes(_ input: SpooledInput) throws -> [ImportSource] {
    if form == .json && !isClassGiven, let found = try ClassArrays.find(in: input.file(path)) {
      return found.map { ImportSource(self, className: $0.name, $0.part) }
    }
    if className.isEmpty { throw missingClass }
    return [self]
  }

  private init(_ whole: ImportSource, className: String, _ part: JSONPart) {
    self = whole
    self.part = part
    self.className = className
  }

  /// Whether the path is that of a pipe or a descriptor, whose name says nothing of its content.
  private static func isNameless(_ path: String) -> Bool {
    path == "-" || path.hasPrefix("/dev/") || path.hasPrefix("/proc/")
  }

  static func form(_ ending: String) -> Form? {
    switch ending.lowercased() {
    case "json": .json
    case "jsonl", "ndjson": .jsonl
    case "csv", "tsv": .csv
    default: nil
    }
  }

  /// The sources in a folder that `realm export` has made.
  static func all(inFolder path: String) throws -> [ImportSource] {
    if access(path, R_OK | X_OK) != 0 {
      throw ToolError("Failed to read '\(path)': \(String(cString: strerror(errno)))")
    }
    return try FolderContent.names(path).sorted().filter { name in
      name != "schema.json" && !name.hasPrefix(".")
        && form(String(name.split(separator: ".").last ?? "")) != nil
    }.map { name in
      try ImportSource(path: "\(path)/\(name)", className: ExportedName.className(of: name), form: nil)
    }
  }

  /// Opens the source at its beginning, also when it was read before. Returns its objects, and the number of bytes of the file.
  ///
  /// - Parameter isKnown: Whether the class has a property of this name already.
  func open(
    _ input: SpooledInput, _ format: CSVFormat, isKnown: @escaping (String) -> Bool
  ) throws -> (source: any RecordSource, size: Int) {
    let file = try input.file(path)
    if form == .csv { return (CSVSource(file, format, isKnown: isKnown), file.size) }
    return (try JSONSource(file, part), file.size)
  }
}

/// What the files of a folder are called that classes are exported to.
enum ExportedName {
  /// What the schema is called, which is no class.
  static let schema = "schema.json"

  /// Names of classes may have anything in them. Separators, control characters, a dot at the beginning and one after
  /// another dot are written as `%` and two digits for each byte.
  static func file(_ className: String, _ ending: String) -> String {
    var name: [UInt8] = []
    var former: Unicode.Scalar?
    for scalar in className.unicodeScalars {
      defer { former = scalar }
      let isPlain =
        switch scalar {
        case "/", "\\", "%": false
        case ".": former != nil && former != "."
        default: !VisibleText.isControl(scalar)
        }
      for byte in String(scalar).utf8 {
        if isPlain { name.append(byte) } else { name += "%\(Hexadecimal.text([byte]))".utf8 }
      }
    }
    let file = String(decoding: name, as: UTF8.self) + "." + ending
    return file == schema ? "%\(Hexadecimal.text([name[0]]))\(file.dropFirst())" : file
  }

  static func className(of file: String) -> String {
    let name = Array(file.utf8)[..<(file.utf8.count - (file.split(separator: ".").last?.utf8.count ?? 0) - 1)]
    var className: [UInt8] = []
    var rest = name[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let decoded = Hexadecimal.bytes(rest.prefix(2)), decoded.count == 1 {
        className += decoded
        rest = rest.dropFirst(2)
      } else {
        className.append(byte)
      }
    }
    return String(decoding: className, as: UTF8.self)
  }
}
