import Foundation
import ProcessTestModels
import RealmSwift

/// A process that opens images of disks, and tells of each what is there: the number of transactions, and that of a copy
/// beside it, if there is one; or what is wrong.
enum Verification {
  /// - Parameter list: A file with the paths of the images, one a line.
  static func run(list: String) throws {
    let paths = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n").map(String.init)
    for (number, path) in paths.enumerated() {
      do {
        var found = try look(path, goesOn: number % 4 == 0)
        let copy = Scenario.copyPath(path)
        if FileManager.default.fileExists(atPath: copy) { found += " \(try look(copy, goesOn: false))" }
        // On one line each.
        ChildProcess.say(found.split(separator: "\n").joined(separator: " "))
      } catch {
        ChildProcess.say("fault can not be opened: \(error)")
      }
    }
  }

  /// The number of transactions, or what is wrong.
  private static func look(_ path: String, goesOn: Bool) throws -> String {
    let mosaic = try Mosaic(path: path)
    let (url, key) = (URL(fileURLWithPath: path), Ledger.encryptionKey(path))
    let opened = try Realm.verify(at: url, encryptionKey: key)
    if !opened.isSound { return "fault \(opened)" }
    if let fault = mosaic.fault { return "fault \(fault)" }
    let number = mosaic.number
    if goesOn {
      for _ in 0..<2 { try mosaic.append() }
      if let fault = mosaic.fault { return "fault after it went on: \(fault)" }
    }
    if goesOn {
      let found = try Realm.verify(at: url, encryptionKey: key)
      if !found.isSound { return "fault after it went on: \(found)" }
    }
    return "\(number)"
  }
}
