import Foundation
import Testing

@testable import RealmSwift

/// Tests of what is imported into one realm.
protocol JSONSuite {
  var scratch: ScratchRealm { get }
}

func jsonRealm() throws -> ScratchRealm {
  try ScratchRealm(
    opening: JSONItem.classes + [
      JSONRow.self, JSONEntry.self, Invoice.self, KeyedLine.self, JSONChoice.self, JSONStock.self,
      JSONNode.self,
    ])
}

extension JSONSuite {
  var realm: Realm { scratch.realm }

  @discardableResult
  func load<T: Object>(
    _ json: String, _ type: T.Type, update: Realm.UpdatePolicy = .error,
    numericDates: Realm.NumericDates = .secondsSince1970, unknownKeys: Realm.UnknownKeys = .ignore
  ) throws -> Int {
    try realm.write {
      try realm.importJSON(
        Data(json.utf8), as: type, update: update, numericDates: numericDates, unknownKeys: unknownKeys)
    }
  }

  func item(_ id: Int) throws -> JSONItem {
    try #require(realm.object(ofType: JSONItem.self, forPrimaryKey: id))
  }

  /// The message for what can not be read, after which nothing of it is there.
  func refusal<T: Object>(
    _ json: String, _ type: T.Type, update: Realm.UpdatePolicy = .error
  ) -> String {
    let before = realm.objects(JSONItem.self).count
    do {
      try load(json, type, update: update)
      return "none"
    } catch let error as Realm.Error {
      #expect(error.code == .invalidInput)
      #expect(realm.objects(JSONItem.self).count == before && !realm.isInWriteTransaction)
      return "\(error)"
    } catch {
      return "another error: \(error)"
    }
  }
}
