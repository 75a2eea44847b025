import Foundation
import RealmSwift
import TestSupport
import Testing

/// The version of the project, which has one place.
@Suite struct LibraryVersionTests {
  private static func newestHeading() throws -> String {
    let text = try String(contentsOf: Repository.folder.appending(path: "CHANGELOG.md"), encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("## [") })
    return String(line.dropFirst("## [".count).prefix { $0 != "]" })
  }

  /// An unreleased version ends in `-dev`: the newest section of the changelog then names no version, or the coming one.
  @Test func libraryVersionIsThatOfTheChangelog() throws {
    let version = Realm.libraryVersion
    let heading = try Self.newestHeading()
    if heading == "Unreleased" {
      #expect(version.hasSuffix("-dev"))
    } else {
      #expect(heading == version)
    }
  }

  @Test func libraryVersionIsSemantic() {
    #expect(Realm.libraryVersion.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+(-dev)?/) != nil)
  }
}
