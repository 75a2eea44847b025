import LibC

/// Where encryption keys come from: a file or the terminal, never the command line, which others can see.
enum KeyFile {
  static let size = 64
  /// What stands for no key.
  static let none = "none"

  /// The key that an option names, nil when it was not given.
  ///
  /// - Parameter isNew: Whether a new file gets the key: a key that is typed is then asked for twice.
  static func read(
    _ option: CommandOption, _ arguments: Arguments, isNew: Bool = false
  ) throws -> [UInt8]? {
    guard let path = arguments[option] else { return option == .keyFile ? arguments.key : nil }
    return path == "-" ? try ask(option, isNew: isNew) : try read(path)
  }

  /// The key of a file that is made of another one: that which the option names, none when it is `none`, and that of the
  /// source without the option.
  static func readNew(_ arguments: Arguments, keeping key: [UInt8]?) throws -> [UInt8]? {
    switch arguments[.newKeyFile] {
    case nil: key
    case none?: nil
    default: try read(.newKeyFile, arguments, isNew: true)
    }
  }

  private static func ask(_ option: CommandOption, isNew: Bool) throws -> [UInt8] {
    let question = "Encryption key (\(option.name), 128 hexadecimal digits): "
    guard let line = try Terminal.ask(question, isSecret: true) else {
      throw ToolError("No key was given.")
    }
    guard let key = key(Array(line.utf8)) else {
      throw ToolError("What was typed is not a key: it needs 128 hexadecimal digits.")
    }
    if isNew {
      let again = try Terminal.ask("The same key again: ", isSecret: true)
      if again.flatMap({ self.key(Array($0.utf8)) }) != key {
        throw ToolError("The two keys differ: nothing was written.")
      }
    }
    return key
  }

  private static func read(_ path: String) throws -> [UInt8] {
    let file = try InputFile(path: path)
    var bytes: [UInt8] = []
    while let more = try file.read(), bytes.count < 4096 { bytes += more }
    guard let key = key(bytes) else {
      throw ToolError(
        "The file at path '\(path)' is not a key: it has \(bytes.count) bytes, and needs 64, or 128 hexadecimal digits. This creates one: openssl rand -hex 64 > KEYFILE"
      )
    }
    return key
  }

  /// The key in the bytes of a file, which are itself or hexadecimal digits.
  private static func key(_ bytes: [UInt8]) -> [UInt8]? {
    if bytes.count == size { return bytes }
    let digits = bytes.filter { !" \n\r\t".utf8.contains($0) }
    return digits.count == 2 * size ? Hexadecimal.bytes(digits) : nil
  }
}
