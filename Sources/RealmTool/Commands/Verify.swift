import Foundation
import RealmSwift

extension Command {
  static let verify = Command(
    name: "verify", summary: "look at everything in a file and tell what is damaged",
    discussion: """
      Pages, checksums, the form of each value, and whether indexes and links agree with them. Others may use the file \
      meanwhile. The exit status is 3 when something is damaged; realm salvage saves the rest.
      """,
    operands: [Operand(.file("FILE"), "the Realm file")], options: [.json, .keyFile],
    examples: [
      Example("realm verify world.realm", "says 'sound', or what is damaged"),
      Example("realm verify world.realm --json", "the same for programs"),
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
      for fault in found.faults { try console.print("- \(fault)") }
      if !found.isSound {
        console.note("What is sound can be brought to a new file: realm salvage '\(path)' NEW")
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
