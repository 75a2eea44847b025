import Foundation
import RealmSync

/// The clients of one process: files that are written and read at random, each with a session of its own.
@MainActor final class Fleet {
  private let folder: URL
  private let first: Int
  private let realms: [Realm]
  /// Number of transactions that were committed.
  private(set) var writes = 0

  /// Opens files, which are numbered from a number on.
  init(_ url: String, folder: URL, first: Int, count: Int) async throws {
    (self.folder, self.first) = (folder, first)
    var realms: [Realm] = []
    for number in first..<first + count {
      let configuration = Realm.Configuration(
        sync: SyncConfiguration(url: url, allowsInsecureConnection: true),
        fileURL: folder.appending(path: "\(number).realm"), objectTypes: [FleetDog.self])
      realms.append(try await Realm.open(configuration: configuration))
    }
    self.realms = realms
    for realm in realms { try await realm.syncSession!.wait(for: .download) }
  }

  /// Lets one client read, and write one transaction.
  func work() throws {
    guard let realm = realms.randomElement() else { return }
    realm.refresh()
    let dogs = realm.objects(FleetDog.self)
    let isOld = dogs.where { $0.age > 50 }.count > dogs.count / 2
    try realm.write {
      let dog = realm.create(FleetDog.self, value: ["id": Int.random(in: 1...500)], update: .modified)
      switch Int.random(in: 0..<10) {
      case 0: realm.delete(dog)
      case 1, 2: dog.name = "\(UInt32.random(in: 0 ... .max))"
      case 3: dog.age = isOld ? nil : Int.random(in: 0...100)
      case 4, 5: dog.likes += 1
      case 6 where !dog.notes.isEmpty: dog.notes.remove(at: Int.random(in: dog.notes.indices))
      case 7 where dog.notes.count > 1: dog.notes.move(from: 0, to: dog.notes.count - 1)
      default:
        if dog.notes.count > 10 { dog.notes.removeAll() }
        dog.notes.insert("\(UInt32.random(in: 0 ... .max))", at: Int.random(in: 0...dog.notes.count))
      }
    }
    writes += 1
  }

  /// Waits until the server has everything.
  func send() async throws {
    for realm in realms { try await realm.syncSession!.wait(for: .upload) }
  }

  /// Brings all files to the state of the server, and writes the objects of each as text. Returns the number of objects with
  /// changes that wait.
  func writeTexts() async throws -> Int {
    var waiting = 0
    for (number, realm) in realms.enumerated() {
      try await realm.syncSession!.wait(for: .download)
      realm.refresh()
      let lines = realm.objects(FleetDog.self).sorted(byKeyPath: "id").map { dog in
        let age = dog.age.map(String.init) ?? ""
        return "\(dog.id)|\(dog.name)|\(age)|\(dog.likes)|\(dog.notes.joined(separator: ","))\n"
      }
      try lines.joined().write(
        to: folder.appending(path: "\(first + number).txt"), atomically: false, encoding: .utf8)
      waiting += realm.syncSession!.health.waiting
    }
    return waiting
  }

  /// Memory of this process's own, in KiB. Pages of files are the system's, and files grow for a day, as long as they keep the log.
  static func memory() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }
}
