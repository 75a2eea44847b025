import Foundation
import QueryEngine
import Testing

@testable import RealmSwift
@testable import Storage

/// Every error of the library has a code for bindings.
@Suite struct RefusalErrorsTests {
  @Test func errorsKeepMessageAndPath() {
    let error = Refusal(of: Realm.Error(.fileNotFound, "There is none.", path: "/a/b.realm"))
    #expect(error.code == .fileNotFound && error.message == "There is none." && error.path == "/a/b.realm")
    let same = Refusal(of: error)
    #expect(same.code == error.code && same.message == error.message && same.path == error.path)
    #expect(Refusal(of: CancellationError()).code == .error)
    #expect(Refusal(of: CocoaError(.fileNoSuchFile)).code == .fileNotFound)
    #expect(Refusal(of: CocoaError(.fileReadNoPermission)).code == .filePermissionDenied)
    let damage = Refusal(of: StorageError.damaged(path: "/a/b.realm", "torn"))
    #expect(damage.code == .invalidDatabase && damage.path == "/a/b.realm" && damage.message.contains("torn"))
  }

  @Test func mistakesHaveCodes() {
    let codes: [(ProgrammerError, Refusal.Code)] = [
      (.incorrectQueue, .wrongThread), (.incorrectThread("x"), .wrongThread),
      (.inheritedByFork("/a"), .closed), (.objectInvalidated, .noSuchObject),
      (.duplicatePrimaryKey("A", key: "1"), .duplicateKey), (.classNotManaged("A"), .noSuchClass),
      (.noPrimaryKey("A"), .primaryKey), (.deletingForeignObject, .otherRealm), (.other("x"), .error),
    ]
    for (error, code) in codes {
      let refusal = Refusal(of: error)
      #expect(refusal.code == code && refusal.message == error.message)
    }
  }

  @Test func positionsInQueriesAreInBytes() throws {
    let query = "name == 'ääää' AND ?"
    let error = #expect(throws: QueryEngine.PredicateError.self) {
      _ = try PredicateExpression(format: query, arguments: [])
    }
    let characters = try #require(error?.position)
    let refusal = Refusal(try #require(error), in: query)
    #expect(refusal.code == .invalidQuery && refusal.position == characters + 4)
  }
}
