import TestSupport
import Testing

@testable import Storage

@Suite struct WrongKeyTests {
  /// The process has the file open, and compares the keys that are made of the program's.
  @Test func noOtherKeyIsTakenForTheFilesOwn() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let key = [UInt8](repeating: 7, count: 64)
    let file = try DatabaseFile.open(path: path, encryptionKey: key)
    for number in 1...2_000 {
      var other = key
      other[number % 64] ^= UInt8(1 + number / 64 % 255)
      let error = #expect(throws: StorageError.self) {
        try DatabaseFile.open(path: path, encryptionKey: other)
      }
      #expect(error?.kind == .invalidDatabase)
    }
    #expect(try DatabaseFile.open(path: path, encryptionKey: key) === file)
  }
}
