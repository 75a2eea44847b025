import Foundation
import RealmSwift
import TestSupport
import Testing

/// Runs the tests that are written in C (Tests/CInterfaceTests/Program), each in a process of its own.
struct CInterfaceTests {
  @Test(arguments: try names()) func test(name: String) throws {
    let folder = ScratchFolder()
    let (end, output) = try Self.run([name, folder.url.path])
    #expect(end == .exit(0), "\(name) printed:\n\(output)")
  }

  @Test func theVersionIsThatOfTheLibrary() throws {
    let (end, output) = try Self.run(["the_version_is_printed", "."])
    #expect(end == .exit(0))
    #expect(output == Realm.libraryVersion + "\n")
  }

  @Test func anUnknownTestIsAnError() throws {
    #expect(try Self.run(["there_is_no_such_test", "."]).end == .exit(2))
  }

  /// The names of the tests, as the program lists them.
  private static func names() throws -> [String] {
    let names = try run(["--list"]).output.split(separator: "\n").map(String.init)
    try #require(!names.isEmpty, "CInterfaceProgram lists no tests")
    return names
  }

  /// Runs the program. Returns what it wrote to standard output.
  private static func run(_ arguments: [String]) throws -> (end: ChildProgram.End, output: String) {
    let program = BuiltProducts.file("CInterfaceProgram").path
    let run = try ChildProgram.run(
      [program] + arguments, environment: ["SWIFT_BACKTRACE": "enable=no"])
    return (run.end, String(decoding: run.said, as: UTF8.self))
  }
}
