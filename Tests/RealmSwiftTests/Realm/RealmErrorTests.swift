import Foundation
import RealmSwift
import Testing

@Suite struct RealmErrorTests {
  @Test func isCaughtByCode() {
    func thrower() throws { throw Realm.Error(.fileNotFound, "gone") }
    do {
      try thrower()
    } catch Realm.Error.fileExists {
      Issue.record("matched another code")
    } catch Realm.Error.fileNotFound {
      return
    } catch {
      Issue.record("not matched")
    }
    Issue.record("nothing thrown")
  }

  @Test func otherErrorsDoNotMatch() {
    struct Other: Error {}
    let error: any Error = Other()
    #expect(!(Realm.Error.Code.fail ~= error))
  }

  @Test func tellsItsMessageAndFile() {
    let error = Realm.Error(
      .fileAccess, userInfo: [NSLocalizedDescriptionKey: "no", NSFilePathErrorKey: "/a/b.realm", "more": 1])
    #expect(error.localizedDescription == "no")
    #expect((error as any Error).localizedDescription == "no")
    #expect(error.fileURL == URL(fileURLWithPath: "/a/b.realm"))
    #expect(error.userInfo["Error Code"] as? Int == 2)
    #expect(error.userInfo["Error Name"] as? String == "fileAccess")
    #expect(error.userInfo["more"] as? Int == 1)
    #expect(error.code == .fileAccess)
    #expect(error.errorCode == 2)
    #expect((error as NSError).domain == "io.realm")
    #expect((error as NSError).code == 2)
    #expect(Realm.Error(.fail, "text").fileURL == nil)
    #expect(Realm.Error.callFailed.localizedDescription == "Call failed")
    #expect(Realm.Error.callFailed.code == .fail)
  }

  @Test func codesHaveTheOfficialNumbers() {
    let numbers: [(Realm.Error.Code, Int)] = [
      (.fail, 1), (.fileAccess, 2), (.filePermissionDenied, 3), (.fileExists, 4), (.fileNotFound, 5),
      (.fileFormatUpgradeRequired, 6), (.incompatibleLockFile, 8), (.addressSpaceExhausted, 9),
      (.schemaMismatch, 10), (.alreadyOpen, 12), (.invalidInput, 13), (.outOfDiskSpace, 14),
      (.incompatibleSession, 15), (.unsupportedFileFormatVersion, 16), (.multipleSyncAgents, 17),
      (.subscriptionFailed, 18), (.fileOperationFailed, 19), (.invalidDatabase, 20),
      (.incompatibleHistories, 21), (.noSubscriptionForWrite, 22),
    ]
    for (code, number) in numbers { #expect(code.rawValue == number) }
  }

  private enum Own: Error, Equatable {
    case first
    case second(Int)
  }

  @Test func errorsOfAnyKindCompareByDomainAndCode() {
    let a: any Error = Realm.Error(.fail, "one")
    let b: any Error = Realm.Error(.fail, "other")
    let c: any Error = Realm.Error(.fileAccess, "one")
    #expect(a == b)
    #expect(!(a == c))
    #expect(Realm.Error(.fail, "one") == Realm.Error(.fail, "other"))
    #expect(Realm.Error(.fail, "one") != Realm.Error(.fileAccess, "one"))
    // Equatable errors keep their own equality.
    #expect(Own.second(1) == Own.second(1))
    #expect(Own.second(1) != Own.second(2))
    #expect(Own.first != .second(1))
    let optional: (any Error)? = nil
    #expect(optional == nil)
  }
}
