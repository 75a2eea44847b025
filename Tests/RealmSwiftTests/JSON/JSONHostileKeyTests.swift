import Foundation
import RealmSwift
import TestSupport
import Testing

/// JSON that means no good, in keys that are the name of no property: such values are verified as all others.
@Suite struct JSONHostileKeyTests {
  final class Row: Object {
    @Persisted var a: Int?
    @Persisted var ab: Int?
    @Persisted var link: Row?
    @Persisted var map: Map<String, Int>
  }

  /// Imports one text, with unknown keys left out. Returns the message of the error; nil when there is none.
  private func message(_ json: Data, _ keys: Realm.UnknownKeys = .ignore) throws -> String? {
    let realm = try ScratchRealm([Row.self]).open()
    var message: String?
    try realm.write {
      do {
        try realm.importJSON(json, as: Row.self, unknownKeys: keys)
      } catch let error as Realm.Error {
        message = error.localizedDescription
      }
    }
    return message
  }

  @Test(arguments: ["[", "{\"k\":", "[{\"k\":["])
  func ignoredValuesNestNoDeeperThanOthers(opening: String) throws {
    let json = "{\"z\":" + String(repeating: opening, count: 200_000)
    #expect(try message(Data(json.utf8))?.contains("lie more than 100 deep within each other") == true)
  }

  @Test func ignoredTextsMustBeUTF8() throws {
    for json in [
      Data("{\"z".utf8) + [0xFF] + Data("\":1}".utf8),
      Data("{\"z\":\"".utf8) + [0xC0, 0x80] + Data("\"}".utf8),
    ] {
      #expect(try message(json)?.contains("a string is no UTF-8") == true)
    }
    #expect(try message(Data("{\"z\":\"\\ud800\"}".utf8))?.contains("half a surrogate pair") == true)
  }

  @Test func keysThatBeginLikePropertiesAreUnknown() throws {
    #expect(try message(Data("{\"\":1,\"abc\":1,\"A\":1,\"a\\u0000\":1,\"a\":1}".utf8)) == nil)
    for key in ["", "abc", "A", "a\\u0000", "a\\u0301"] {
      #expect(try message(Data("{\"\(key)\":1}".utf8), .refuse) != nil, "\(key)")
    }
    // Within a linked object as well.
    #expect(try message(Data("{\"link\":{\"abc\":1}}".utf8), .refuse) != nil)
    #expect(try message(Data("{\"link\":{\"abc\":[1,{}],\"a\":1}}".utf8)) == nil)
  }

  @Test func aPropertyStandsOnceHoweverItIsSpelled() throws {
    for json in [
      "{\"a\":1,\"\\u0061\":2}", "{\"z\":0,\"a\":1,\"z\":0,\"a\":1}", "{\"link\":{\"a\":1,\"\\u0061\":1}}",
      "{\"map\":{\"x\":1,\"\\u0078\":1}}",
    ] {
      #expect(try message(Data(json.utf8))?.contains("is there twice in one object") == true, "\(json)")
    }
    #expect(try message(Data("{\"z\":0,\"z\":1}".utf8)) == nil)
  }

  @Test func whatFollowsAnIgnoredKeyIsVerified() throws {
    for json in [
      "{\"z\":}", "{\"z\":[1,]}", "{\"z\":{\"y\"}}", "{\"z\":01}", "{\"z\":tru}", "{\"z\":1",
      "{\"z\":\"\u{1}\"}",
    ] {
      #expect(try message(Data(json.utf8)) != nil, "\(json)")
    }
  }
}
