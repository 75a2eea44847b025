import LibC
import Testing

@testable import OfficialFiles

/// What an error says.
struct ErrorTests {
  @Test func damageNamesClassAndProperty() throws {
    do {
      _ = try FileBuilder.values(.init(type: 0), count: 1) { $0.integers([1, 2]) }
      Issue.record("nothing was found")
    } catch let error as OfficialFileError {
      guard case .damaged(let damage) = error.reason else { throw error }
      #expect(damage.className == "A" && damage.property == "p" && damage.offset != nil)
      #expect(
        error.description
          == "The file at path 'mutant' is damaged in 'A.p' at byte \(damage.offset!): 2 values for 1 objects."
      )
    }
  }

  /// What the caller's block throws is its own.
  @Test func otherErrorsStayAsTheyAre() throws {
    struct Other: Error {}
    let file = try Sample.collections.open()
    #expect(throws: Other.self) {
      try file.table("Lists")!.forEachBlock { block in
        try block.forEachValue(ofProperty: 0) { _, value in
          guard case .collection(let list) = value else { return }
          try list.forEachElement { _ in throw Other() }
        }
      }
    }
  }

  @Test func messages() {
    func text(_ reason: OfficialFileError.Reason) -> String {
      OfficialFileError(path: "/a.realm", reason: reason).description
    }
    #expect(text(.notOfficial) == "The file at path '/a.realm' is not a file of the official Realm.")
    #expect(text(.newerFormat(25)).contains("format 25 is above 24"))
    #expect(
      text(.unreadable(ENOENT)) == "The file at path '/a.realm' cannot be read: No such file or directory.")
  }
}
