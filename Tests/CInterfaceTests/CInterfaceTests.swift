import Foundation
import RealmSwift
import TestSupport
import Testing

/// Runs the tests that are written in C, each in a process of its own.
struct CInterfaceTests {
  @Test func theVersionIsThatOfTheLibrary() throws {
    let program = try #require(Bundle.main.executableURL).deletingLastPathComponent()
      .appending(path: "CInterfaceProgram")
    let run = try ChildProgram.run([program.path])
    #expect(String(decoding: run.said, as: UTF8.self) == Realm.libraryVersion + "\n")
  }
}
