import OfficialConversion
import OfficialFiles

/// `realm salvage` of a file of the official SDK.
enum OfficialSalvage {
  /// Whether a path leads to a file of the official SDK, or with a key to one that looks encrypted by it.
  static func isNeeded(_ path: String, key: [UInt8]?) -> Bool {
    switch try? OfficialFileKind(path: path) {
    case .official: true
    case .maybeEncrypted: key != nil
    case .other, nil: false
    }
  }

  static func run(
    from path: String, key: [UInt8]?, to new: String, _ console: Console
  ) throws -> ExitStatus {
    let progress = Progress("Salvaging")
    let (report, losses): (ConversionReport, Losses)
    do {
      (report, losses) = try RealmFile.making(new) {
        try OfficialConversion.salvage(from: path, key: key, to: new) { progress.update($0, of: $1) }
      }
    } catch let error as OfficialFileError {
      throw ToolError(error.description)
    }
    progress.finish()
    let objects = Numbers.count(report.objectCount, "object")
    let faults = Numbers.count(losses.all.count, "fault")
    try console.print("Salvaged \(objects) of '\(path)' to '\(new)': \(faults).")
    for loss in losses.all { try console.print("- \(losses.description(of: loss))") }
    for line in Command.leftOut(report) { try console.print(line) }
    return losses.isEmpty ? .success : .nothingFound
  }
}
