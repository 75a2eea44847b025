import LibC
import OfficialFiles

/// The offer of `realm studio` to convert a file of the official Realm SDK into a copy, and to open that.
enum OfficialFileOffer {
  /// Asks at the terminal, and converts the file. Returns the path of the copy; nil when the user does not want one, when there
  /// is no terminal, or when it is no file of the official SDK.
  ///
  /// - Throws: `ToolError` when it cannot be converted.
  static func copy(of path: String, key: [UInt8]?, _ console: Console) throws -> String? {
    let kind = try? OfficialFileKind(path: path)
    let isOfficial = kind == .official || kind == .maybeEncrypted && key != nil
    guard isOfficial, Terminal.isTerminal(STDIN_FILENO) else { return nil }
    let name = freeName(beside: path)
    console.note("'\(path)' is a file of the official Realm SDK, which is opened as a converted copy.")
    let question = "Convert it to '\(name)' and open that? [Y/n or another name] "
    guard let answer = try Terminal.ask(VisibleText.of(question))?.trimmingSpaces() else { return nil }
    switch answer.lowercased() {
    case "n", "no": return nil
    case "", "y", "yes": return try convert(path, name, key, console)
    default: return try convert(path, answer, key, console)
    }
  }

  private static func convert(
    _ path: String, _ new: String, _ key: [UInt8]?, _ console: Console
  ) throws -> String {
    let report = try Command.convert(from: path, key: key, to: new, newKey: key)
    console.note("Converted \(Numbers.count(report.objectCount, "object")) to '\(new)'.")
    for line in Command.leftOut(report) { console.note(line) }
    return new
  }

  /// Returns the name of the file with `-converted`, and with a number where that is there already.
  static func freeName(beside path: String) -> String {
    let stem = path.hasSuffix(".realm") ? String(path.dropLast(".realm".count)) : path
    var (name, number) = ("\(stem)-converted.realm", 2)
    var information = stat()
    while lstat(name, &information) == 0 {
      name = "\(stem)-converted-\(number).realm"
      number += 1
    }
    return name
  }
}
