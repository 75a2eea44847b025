import Foundation
import RealmSwift
import TestSupport
import Testing

/// Returns the key as `realm convert --key-file` reads it.
func hexadecimal(_ key: Data) -> String {
  key.map { String(format: "%02x", $0) }.joined()
}

/// Writes a copy of a realm to a file that can be shared.
func exportedCopy(
  of realm: Realm, key: Data?, in folder: URL = FileManager.default.temporaryDirectory
) throws -> URL {
  let copy = folder.appendingPathComponent("export.realm")
  try? FileManager.default.removeItem(at: copy)
  try realm.writeCopy(toFile: copy, encryptionKey: key)
  return copy
}

/// What an app does before its file goes to Linux.
struct ComingFromTheOfficialSDKTests {
  @Test func keysAreHexadecimalDigits() {
    #expect(hexadecimal(Data([0, 15, 171, 255])) == "000fabff")
  }

  @Test func aCopyHasAllObjectsOfItsRealm() throws {
    let mountains = try Mountains()
    var configuration = mountains.configuration
    for key in [nil, Data(repeating: 7, count: 64)] {
      configuration.encryptionKey = key
      configuration.fileURL = try exportedCopy(of: mountains.realm, key: key, in: mountains.folder.url)
      #expect(try counts(Realm(configuration: configuration)) == counts(mountains.realm))
    }
    #expect(try counts(mountains.realm) == ["Hut 3", "Trail 2", "Warden 1"])
  }

  private func counts(_ realm: Realm) throws -> [String] {
    let lines = PrintedLines()
    func print(_ items: Any...) { lines.add(items) }
    for schema in realm.schema.objectSchema where !schema.isEmbedded {
      print(schema.className, realm.dynamicObjects(schema.className).count)
    }
    return lines.all.sorted()
  }
}
