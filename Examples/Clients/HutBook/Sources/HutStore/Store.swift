import Foundation
import HutModels
import Realm
import RealmSwift

/// Opens the book, and brings files of earlier versions of the program up to date.
public final class Store {
  /// What the book is opened with.
  public let configuration: Realm.Configuration
  private var token: NotificationToken?
  /// How many huts the book has had, each time that it changed.
  public private(set) var counts: [Int] = []

  /// - Parameters:
  ///   - url: The file.
  ///   - key: 64 bytes, which an application keeps in the key chain.
  public init(url: URL, key: Data) {
    configuration = Realm.Configuration(
      fileURL: url, encryptionKey: key, schemaVersion: 2,
      migrationBlock: { migration, oldVersion in
        if oldVersion < 1 {
          migration.renameProperty(onType: Hut.className(), from: "title", to: "name")
        }
        if oldVersion < 2 {
          migration.enumerateObjects(ofType: Hut.className()) { oldObject, newObject in
            let feet = oldObject!["altitudeInFeet"] as! Int
            newObject!["altitude"] = Int(Double(feet) * 0.3048)
          }
        }
      },
      shouldCompactOnLaunch: { total, used in total > 100 << 20 && used < total / 2 },
      objectTypes: [Hut.self, Address.self, Entry.self])
  }

  /// Whether the book can be opened; false when its key is another one.
  public func isReadable() throws -> Bool {
    do {
      _ = try Realm(configuration: configuration)
      return true
    } catch let error as RLMError where error.code == .invalidDatabase || error.code == .fail {
      // `fail` while the book is open with its own key.
      return false
    }
  }

  /// Follows the number of huts.
  public func follow() throws {
    let huts = try Realm(configuration: configuration).objects(Hut.self)
    token = huts.observe { [weak self] changes in
      switch changes {
      case .initial(let huts): self?.counts.append(huts.count)
      case .update(let huts, _, _, _): self?.counts.append(huts.count)
      case .error(let error): print(error)
      }
    }
  }

  /// Adds an entry on another queue, and calls back on the main one.
  public func sign(_ name: String, as guest: String, completion: @escaping (Error?) -> Void) {
    let configuration = self.configuration
    DispatchQueue(label: "book").async {
      do {
        let realm = try Realm(configuration: configuration)
        try realm.write {
          realm.objects(Hut.self).where { $0.name == name }.first?.entries.append(Entry(guest: guest))
        }
        DispatchQueue.main.async { completion(nil) }
      } catch {
        DispatchQueue.main.async { completion(error) }
      }
    }
  }
}
