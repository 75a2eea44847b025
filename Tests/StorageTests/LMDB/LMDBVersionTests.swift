import Testing

@testable import Storage

@Suite struct LMDBVersionTests {
  @Test func theLoadedVersionIsSupported() throws {
    #expect(LMDBVersion.loaded.isSupported)
    try LMDBVersion.loaded.check(path: "a.realm")
  }

  @Test(arguments: [(1, 0, 0), (0, 8, 3), (0, 10, 0), (-1, -1, -1)])
  func otherVersionsAreRefusedByName(major: Int32, minor: Int32, patch: Int32) {
    let version = LMDBVersion(major: major, minor: minor, patch: patch)
    let error = #expect(throws: StorageError.self) { try version.check(path: "a.realm") }
    #expect(
      error?.message
        == "Failed to open Realm file at path 'a.realm': this program needs the library LMDB 0.9, and was started with LMDB \(major).\(minor).\(patch), which has another file format: install LMDB 0.9 (on Debian and Ubuntu the package liblmdb0 of a version 0.9)."
    )
  }
}
