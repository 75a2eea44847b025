import Foundation
import TestSupport
import Testing

@testable import RealmTool

struct ModernizeCommandTests {
  private let folder = ScratchFolder()

  private func write(_ name: String, _ text: String) throws -> String {
    let path = folder.path(name)
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  @Test func theDifferenceIsShownAndNothingChanged() throws {
    let old = "import RealmSwift\n\nclass Dog: Object {\n  @objc dynamic var name = \"\"\n}\n"
    let path = try write("Dog.swift", old)
    let outcome = try RealmProgram.run("modernize", path)
    #expect(outcome.status == 0 && outcome.error == "")
    #expect(
      outcome.output == """
        --- \(path)
        +++ \(path)
        @@ -1,5 +1,5 @@
         import RealmSwift
         
         class Dog: Object {
        -  @objc dynamic var name = ""
        +  @Persisted var name = ""
         }

        """)
    #expect(try text(path) == old)
  }

  /// `patch` understands the difference, and makes of it what `--write` does.
  @Test func theDifferenceIsAPatch() throws {
    var old = ""
    for number in 0..<40 {
      old += "class Dog\(number): Object {\n  // \(number)\n  @objc dynamic var id = 0\n"
      if number % 3 == 0 { old += "  override static func primaryKey() -> String? { \"id\" }\n" }
      if number % 7 == 0 { old += "  @objc dynamic var a = 0, b = 1\n\n\n\n\n\n\n\n\n" }
      old += "}\n"
    }
    let path = try write("Dogs.swift", old)
    let patch = try write("dogs.patch", try RealmProgram.run("modernize", path).output)
    let patched = folder.path("Patched.swift")
    #expect(try RealmProgram.shell("patch --silent --output '\(patched)' '\(path)' '\(patch)'").status == 0)
    #expect(try RealmProgram.run("modernize", "--write", path).output == "rewrote \(path)\n")
    #expect(try text(patched) == text(path))
    #expect(try text(path) != old)
    let again = try RealmProgram.run("modernize", path)
    #expect(again.status == 1 && again.output == "" && again.error == "nothing to rewrite\n")
  }

  @Test func classesOfOtherFilesAreKnown() throws {
    _ = try write("Base.swift", "class Base: Object {\n  @objc dynamic var id = 0\n}\n")
    let path = try write("Dog.swift", "class Dog: Base {\n  let age = RealmOptional<Int>()\n}\n")
    let use = try write("Use.swift", "func f(_ dog: Dog) {\n  dog.age.value = 3\n}\n")
    #expect(try RealmProgram.run("modernize", path).status == 1)
    let outcome = try RealmProgram.run("modernize", "--write", folder.url.path)
    #expect(outcome.status == 0)
    #expect(try text(path) == "class Dog: Base {\n  @Persisted var age: Int?\n}\n")
    #expect(outcome.error == "\(use):2: 'age' is an optional now: leave out '.value'\n")
  }

  @Test func whatIsLeftToAPersonIsListedWithItsLine() throws {
    let path = try write(
      "Dog.swift",
      """
      class Dog: Object {
        @objc dynamic var a = 0, b = 1
        @objc dynamic var watched = 0 { didSet { print(1) } }
        override class func primaryKey() -> String? { Keys.dog }
        override static func indexedProperties() -> [String] { ["nope"] }
        let action = #selector(f)
      }

      """)
    let notes = """
      \(path):LINE3: 'watched' has observers, which managed objects do not call: declare it by hand
      \(path):LINE4: primaryKey() does not return literals: declare the properties by hand and remove it
      \(path):LINE5: indexedProperties() names 'nope', which Dog does not declare, or which is left to you
      \(path):LINE6: #selector needs the Objective-C runtime, which Linux does not have

      """
    func expected(_ offset: Int) -> String {
      (3...6).reduce(notes) { $0.replacing("LINE\($1)", with: String($1 + offset)) }
    }
    #expect(try RealmProgram.run("modernize", path).error == expected(0))
    #expect(try RealmProgram.run("modernize", "--write", path).error == expected(1))
  }

  @Test func filesThatCannotBeReadAreLeft() throws {
    let broken = try write("Broken.swift", "class Dog: Object { @objc dynamic var a = 0\n")
    let bytes = folder.path("Latin1.swift")
    try Data("class Dog: Object { @objc dynamic var a = \"é\" }".unicodeScalars.map { UInt8($0.value) })
      .write(to: URL(filePath: bytes))
    let outcome = try RealmProgram.run("modernize", "--write", broken, bytes)
    #expect(outcome.status == 3 && outcome.output == "")
    #expect(
      outcome.error == """
        \(broken): left as it is: its brackets do not match
        \(bytes): left as it is: it is not valid UTF-8

        """)
    #expect(try RealmProgram.run("modernize", folder.path("nothing.swift")).status == 3)
  }

  @Test func permissionsAndLinksStay() throws {
    let path = try write("Dog.swift", "class Dog: Object {\n  @objc dynamic var a = 0\n}\n")
    #expect(chmod(path, 0o640) == 0)
    let link = folder.path("Link.swift")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(try RealmProgram.run("modernize", "--write", link).status == 0)
    var information = stat()
    #expect(lstat(path, &information) == 0 && information.st_mode & 0o7777 == 0o640)
    #expect(lstat(link, &information) == 0 && information.st_mode & S_IFMT == S_IFLNK)
    #expect(try text(path) == "class Dog: Object {\n  @Persisted var a = 0\n}\n")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == [
        "Dog.swift", "Link.swift",
      ])
  }
}
