import Glibc

/// A file of objects of one class.
struct ImportSource {
  enum Form: String, CaseIterable, Sendable {
    case json, jsonl, csv
  }

  let className: String
  let form: Form
  /// As messages name it.
  let name: String
  private let path: String

  /// - Throws: `UsageError` when nothing says what it is.
  init(path: String, className: String?, form: String?) throws {
    self.path = path
    name = path == "-" ? "the standard input" : path
    let file = path.split(separator: "/").last.map(String.init) ?? path
    let parts = file.split(separator: ".").map(String.init)
    guard let form = form.flatMap(Form.init) ?? Self.form(parts.last ?? "") else {
      throw UsageError("'\(path)': its name does not tell what it is, so say --format json, jsonl or csv.")
    }
    self.form = form
    guard let className = className ?? (path == "-" ? nil : parts.first), !className.isEmpty else {
      throw UsageError("--class is missing: it names the class of the objects in \(name).")
    }
    self.className = className
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

  /// From the beginning. The standard input is kept in a file, so that it can be read twice.
  func open(_ input: StandardInput) throws -> (source: any RecordSource, size: Int) {
    let file = try path == "-" ? input.file() : InputFile(path: path)
    return (form == .csv ? CSVSource(file) : JSONSource(file), file.size)
  }
}

/// The standard input in a file that has no name.
final class StandardInput {
  private var descriptor: Int32 = -1

  deinit { if descriptor >= 0 { close(descriptor) } }

  func file() throws -> InputFile {
    if descriptor < 0 { try keep() }
    return try InputFile(descriptor: descriptor, name: "the standard input")
  }

  private func keep() throws {
    var template = Array("\(Terminal.environment("TMPDIR") ?? "/tmp")/realm-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else {
      throw ToolError(
        "Failed to keep the standard input in a temporary file: \(String(cString: strerror(errno)))")
    }
    unlink(template)
    let input = try InputFile(path: "-")
    let stream = OutputStream(descriptor, name: "a temporary file")
    while let more = try input.read() { try stream.write(more) }
    try stream.flush()
  }
}

/// What the files of a folder are called that classes are exported to.
enum ExportedName {
  /// What the schema is called, which is no class.
  static let schema = "schema.json"

  /// Names of classes may have anything in them: what is no name of a file is written as `%` and two digits.
  static func file(_ className: String, _ ending: String) -> String {
    var name: [UInt8] = []
    for byte in className.utf8 {
      if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "%") || byte == 0
        || byte == UInt8(ascii: ".") && name.isEmpty
      {
        name += "%\(Hexadecimal.text([byte]))".utf8
      } else {
        name.append(byte)
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
