import Foundation

/// The compressed JSON files beside this source file.
struct WorldData {
  static let countryCount = 252
  static let cityCount = 34_006

  let countries: [[String: Any]]
  /// One JSON object each.
  let cityLines: [Data]

  init() throws {
    let json = try Self.decompress("countries.json.gz")
    countries = try JSONSerialization.jsonObject(with: json) as? [[String: Any]] ?? []
    let lines = [UInt8](try Self.decompress("cities.jsonl.gz"))
    cityLines = lines.split(separator: UInt8(ascii: "\n")).map { Data($0) }
  }

  private static func decompress(_ name: String) throws -> Data {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let gzip = Process()
    let output = Pipe()
    gzip.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    gzip.arguments = ["gzip", "-dc", folder.appendingPathComponent("Data/\(name)").path]
    gzip.standardOutput = output
    try gzip.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    gzip.waitUntilExit()
    guard gzip.terminationStatus == 0 else { throw UnreadableData(name: name) }
    return data
  }
}

struct UnreadableData: Error, CustomStringConvertible {
  let name: String

  var description: String { "\(name) could not be decompressed" }
}
