import Foundation
import Testing

@testable import RealmSwift

/// Keys of JSON that are the name of no property.
@Suite struct JSONUnknownKeyTests: JSONSuite {
  let scratch: ScratchRealm

  init() throws { scratch = try jsonRealm() }

  @Test(arguments: [
    (#"{"id": 1, "next": null}\n{"id": 2, "colour": "red"}"#, "Line 2: ", "colour"),
    (#"{"id": 1, "next": {"id": 2, "colour": {"deep": []}}}"#, "Line 1: ", "colour"),
    // Escaped, and equal in Unicode to a property of other code points.
    (#"{"id": 1, "col\u006Fur": 3}"#, "Line 1: ", "colour"),
    (#"[{"id": 1},{"ID": 2}]"#, "Line 1, object 2: ", "ID"),
  ])
  func refusingNamesClassAndKey(json: String, place: String, key: String) throws {
    let error = realmError {
      try load(
        json.replacingOccurrences(of: "\\n", with: "\n"), JSONNode.self, unknownKeys: .refuse)
    }
    #expect(error?.code == .invalidInput)
    #expect(
      error?.localizedDescription
        == "\(place)Invalid property name '\(key)' for class 'JSONNode'. `unknownKeys: .ignore` leaves such keys out."
    )
    #expect(realm.objects(JSONNode.self).isEmpty)
  }

  @Test func refusingTakesWhatFits() throws {
    let json = #"{"id": 1, "next": {"id": 2, "values": [1]}} {"id": 3}"#
    #expect(try load(json, JSONNode.self, unknownKeys: .refuse) == 2)
    #expect(realm.objects(JSONNode.self).count == 3)
  }

  /// The shared logger is the process's, so the test has a process of its own.
  @Test func ignoringLogsOneWarningWithTheFirstKeyAndTheCount() async {
    await #expect(processExitsWith: .success) {
      nonisolated(unsafe) var heard: [String] = []
      Logger.shared = Logger(level: .warn) { level, text in heard.append("\(level): \(text)") }
      let suite = try JSONUnknownKeyTests()
      try suite.load(#"{"id": 1, "values": [1]}"#, JSONNode.self)
      try #require(heard.isEmpty)
      let json =
        #"[{"id": 2}, {"next": {"id": 4, "colour": 1}, "id": 3, "size": [{}]}, {"id": 5, "colour": 2}]"#
      try #require(try suite.load(json, JSONNode.self) == 3)
      try #require(suite.realm.objects(JSONNode.self).count == 5)
      try #require(
        heard == [
          "warn: importJSON left out 3 keys that are the name of no property: the first is 'colour' for class 'JSONNode' in object 2. `unknownKeys: .refuse` throws instead."
        ])
      // A text that is refused is not reported twice.
      try #require(throws: Realm.Error.self) {
        try suite.load(#"{"id": 6, "colour": 1, "values": 7}"#, JSONNode.self)
      }
      try #require(heard.count == 1)
    }
  }
}
