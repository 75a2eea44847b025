import Foundation
import RealmSwift

extension Command {
  static let verify = Command(
    name: "verify", summary: "verify all pages, checksums, values, indexes and links of a file",
    discussion: """
      Reads one version completely; other processes can read and write the file at the same time. Prints each damaged page, value, index or \
      link, with what is lost; equal faults of a class are one line, and each of them an entry with --json. The exit status is 3 when something is damaged; realm salvage copies the rest to a new file.
      """,
    operands: [Operand(.file("FILE"), "the Realm file")], options: [.json, .keyFile],
    examples: [
      Example("realm verify world.realm", "prints 'sound', or what is damaged"),
      Example("realm verify world.realm --json", "the result as JSON"),
    ]
  ) { arguments, console in
    let path = arguments.operands[0]
    let key = try KeyFile.read(.keyFile, arguments).map { Data($0) }
    let found = try RealmFile.explaining(path) {
      try Progress.following("Verifying") {
        try Realm.verify(at: URL(fileURLWithPath: path), encryptionKey: key)
      }
    }
    if arguments.has(.json) {
      try console.output.write(json(found))
    } else {
      let result = found.isSound ? console.style.good("sound") : console.style.bad("damaged")
      try console.print(
        painted:
          "\(console.style.plain(path)): \(result), \(Numbers.count(found.objectCount, "object")), \(Numbers.bytes(found.size))"
      )
      for line in FaultLines(found.faults).lines { try console.print("- \(line)") }
      if !found.isSound {
        console.note("Copy what is sound to a new file with: realm salvage '\(path)' NEW")
      }
    }
    return found.isSound ? .success : .failure
  }

  private static func json(_ found: Realm.Verification) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes +=
      "{\"sound\":\(found.isSound),\"objects\":\(found.objectCount),\"size\":\(found.size),\"faults\":[".utf8
    for (position, fault) in found.faults.enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += "{\"class\":".utf8
      if let name = fault.className { bytes.appendJSON(name) } else { bytes += "null".utf8 }
      bytes += ",\"property\":".utf8
      if let name = fault.propertyName { bytes.appendJSON(name) } else { bytes += "null".utf8 }
      if let rows = fault.rows { bytes += ",\"rows\":[\(rows.lowerBound),\(rows.upperBound)]".utf8 }
      bytes += ",\"reason\":".utf8
      bytes.appendJSON(fault.reason)
      bytes += ",\"loss\":\"\(fault.loss)\"}".utf8
    }
    bytes += "]}\n".utf8
    return bytes
  }
}
