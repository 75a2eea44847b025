import LibC
import TestSupport
import Testing

@testable import Storage

@Suite struct FileIdentityTests {
  /// Whichever way it is asked for, it is that of `stat`.
  @Test func itIsThatOfTheFile() throws {
    let path = TemporaryFile.path()
    let other = path + "-other"
    defer { for path in [path, other] { unlink(path) } }
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var information = stat()
    try #require(fstat(descriptor, &information) == 0)
    let identity = FileIdentity(information)
    #expect(FileIdentity(path: path) == identity && FileIdentity(descriptor: descriptor) == identity)
    #expect(FileIdentity(path: "/") != identity && FileIdentity(path: "/dev/null") != FileIdentity(path: "/"))
    var device = stat()
    try #require(stat("/dev/null", &device) == 0)
    #expect(FileIdentity(path: "/dev/null") == FileIdentity(device))
    #expect(FileIdentity(path: other) == nil && FileIdentity(path: path + "/x") == nil)
    #expect(FileIdentity(path: "") == nil && FileIdentity(descriptor: -1) == nil)

    #expect(FileIdentity.isNamed(descriptor))
    try #require(rename(path, other) == 0)
    #expect(FileIdentity.isNamed(descriptor) && FileIdentity(path: other) == identity)
    unlink(other)
    #expect(!FileIdentity.isNamed(descriptor) && FileIdentity(descriptor: descriptor) == identity)
    #expect(!FileIdentity.isNamed(-1))
  }
}
