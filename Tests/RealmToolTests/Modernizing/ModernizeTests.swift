import Foundation
import TestSupport
import Testing

@testable import RealmTool

/// What a member of an old class becomes.
struct ModernizeTests {
  private func modernized(_ text: String) throws -> String {
    let folder = ScratchFolder()
    let path = folder.path("Models.swift")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let file = try #require(try Modernizer(paths: [path]).files.first).modernizer
    return String(decoding: SourceEdit.applying(file.edits, to: file.source.bytes[...]), as: UTF8.self)
  }

  private func member(_ member: String) throws -> String {
    let result = try modernized("class Dog: Object {\n  \(member)\n}\n")
    return String(result.dropFirst("class Dog: Object {\n  ".count).dropLast("\n}\n".count))
  }

  @Test(arguments: [
    ("@objc dynamic var name = \"\"", "@Persisted var name = \"\""),
    ("@objc dynamic var name: String?", "@Persisted var name: String?"),
    ("@objc dynamic var data: Data? = nil // note", "@Persisted var data: Data? = nil // note"),
    ("dynamic var age = 0", "@Persisted var age = 0"),
    ("@objc public dynamic var age = 0", "@Persisted public var age = 0"),
    ("public private(set) dynamic var age = 0", "@Persisted public private(set) var age = 0"),
    ("@objc(years)\n  dynamic var age: Int = 0", "@Persisted var age: Int = 0"),
    ("@objc dynamic var a = 0, b: String? = nil", "@Persisted var a = 0\n  @Persisted var b: String? = nil"),
    ("@objc dynamic var a = 0; var plain = [1, 2]", "@Persisted var a = 0; var plain = [1, 2]"),
    ("let age = RealmOptional<Int>()", "@Persisted var age: Int?"),
    ("let age = RealmOptional<Double>(1.5)", "@Persisted var age: Double? = 1.5"),
    ("let age: RealmOptional<Int8> = RealmOptional()", "@Persisted var age: Int8?"),
    ("let age = RealmProperty<Int?>()", "@Persisted var age: Int?"),
    ("let value = RealmProperty<AnyRealmValue>()", "@Persisted var value: AnyRealmValue"),
    ("let dogs = List<Dog>()", "@Persisted var dogs: List<Dog>"),
    ("public let dogs: List<Dog> = List<Dog>()", "@Persisted public var dogs: List<Dog>"),
    ("var dogs = RealmSwift.List<Dog?>()", "@Persisted var dogs: List<Dog?>"),
    ("let tags = MutableSet<String>()", "@Persisted var tags: MutableSet<String>"),
    ("let prices = Map<String, Double>()", "@Persisted var prices: Map<String, Double>"),
    ("let prices: Map<String, Double?> = Map()", "@Persisted var prices: Map<String, Double?>"),
    (
      "let owners = LinkingObjects(fromType: Person.self, property: \"dogs\")",
      "@Persisted(originProperty: \"dogs\") var owners: LinkingObjects<Person>"
    ),
    (
      "let owners = LinkingObjects(fromType: My.Person.self, property: #keyPath(My.Person.dogs))",
      "@Persisted(originProperty: \"dogs\") var owners: LinkingObjects<My.Person>"
    ),
    ("@objc dynamic var isOld: Bool { age > 9 }", "var isOld: Bool { age > 9 }"),
  ])
  func aMember(old: String, new: String) throws { #expect(try member(old) == new) }

  @Test(arguments: [
    "@Persisted var name = \"\"", "@Persisted(primaryKey: true) var id: Int", "var plain = 0",
    "let constant = [1: 2]", "static let shared = List<Dog>()", "lazy var sum: Int = { 1 }()",
    "func f() { let dogs = List<Dog>() }", "var made: List<Dog> { List<Dog>() }",
    "let text = \"@objc dynamic var x = 0\"",
    "// @objc dynamic var x = 0", "let pair = (RealmFlag(), 1)", "var (a, b) = (1, 2)",
  ])
  func aMemberThatStaysAsItIs(text: String) throws { #expect(try member(text) == text) }

  @Test func namingFunctionsBecomeArgumentsOfTheAttribute() throws {
    let old = """
      class Dog: Object {
          @objc dynamic var id = 0
          @objc dynamic var name = ""
          @objc dynamic var cache = ""
          @Persisted var chip: String

          /// The key.
          override static func primaryKey() -> String? {
              return "id"
          }

          public override class func indexedProperties() -> [String] { ["name", #keyPath(Dog.chip)] }

          override static func ignoredProperties() -> [String] {
              return ["cache"]
          }
      }

      """
    let new = """
      class Dog: Object {
          @Persisted(primaryKey: true) var id = 0
          @Persisted(indexed: true) var name = ""
          var cache = ""
          @Persisted(indexed: true) var chip: String
      }

      """
    #expect(try modernized(old) == new)
    #expect(try modernized(new) == new)
  }

  @Test func classesAndEnumerationsLoseTheirAttributes() throws {
    #expect(
      try modernized("@objcMembers public final class Dog: Object {\n  dynamic var a = 0\n}\n")
        == "public final class Dog: Object {\n  @Persisted var a = 0\n}\n")
    #expect(
      try modernized("@objc(Dog)\nclass Dog: RealmSwift.Object {}\n") == "class Dog: RealmSwift.Object {}\n")
    #expect(
      try modernized("@objc public enum Kind: Int, RealmEnum { case a }\n")
        == "public enum Kind: Int, PersistableEnum { case a }\n")
  }

  @Test func onlyModelsAreRewritten() throws {
    let other = "class View: NSObject {\n  @objc dynamic var x = 0\n  let list = List<Int>()\n}\n"
    #expect(try modernized(other) == other)
    #expect(
      try modernized("enum Home { class Toy: EmbeddedObject { @objc dynamic var x = 0 } }\n")
        == "enum Home { class Toy: EmbeddedObject { @Persisted var x = 0 } }\n")
    let circle = "class A: B { @objc dynamic var x = 0 }\nclass B: A {}\n"
    #expect(try modernized(circle) == circle)
  }

  @Test func lineEndsStayWhatTheyAre() throws {
    #expect(
      try modernized("class Dog: Object {\r\n  @objc dynamic var a = 0, b = 1\r\n}\r\n")
        == "class Dog: Object {\r\n  @Persisted var a = 0\r\n  @Persisted var b = 1\r\n}\r\n")
  }

  @Test func conditionalDeclarationsAreRewrittenWhereTheyStand() throws {
    #expect(
      try modernized("class Dog: Object {\n  #if DEBUG\n  @objc dynamic var a = 0\n  #endif\n}\n")
        == "class Dog: Object {\n  #if DEBUG\n  @Persisted var a = 0\n  #endif\n}\n")
  }

  private func notes(_ text: String) throws -> [String] {
    let folder = ScratchFolder()
    let path = folder.path("Models.swift")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return try #require(try Modernizer(paths: [path]).files.first).modernizer.notes.map(\.text)
  }

  /// A function that names a property which is left by hand stays, so that no key is lost.
  @Test func functionsThatNameWhatIsLeftStay() throws {
    let text = """
      class A: Object {
        @objc dynamic var id = "" { didSet { print(id) } }
        override static func primaryKey() -> String? { "id" }
        #if os(iOS)
        override static func indexedProperties() -> [String] { ["id"] }
        #endif
      }

      """
    #expect(try modernized(text) == text)
    #expect(
      try notes(text) == [
        "'id' has observers, which managed objects do not call: declare it by hand",
        "primaryKey() names 'id', which A does not declare, or which is left to you",
        "indexedProperties() is within #if: declare the properties by hand and remove it",
      ])
  }

  @Test(arguments: [
    "let y = List<C>(), z = List<C>()", "let w: List<C>", "private(set) lazy var lz = List<C>()",
    "var ac: List<C> = List<C>() { didSet {} }", "@objc dynamic var a = 1, // first\n    b = 2",
  ])
  func whatIsNotRewrittenIsListed(member: String) throws {
    let text = "class A: Object {\n  \(member)\n}\n"
    #expect(try modernized(text) == text)
    #expect(try notes(text).count == 1)
  }

  @Test func enumerationsConformOnce() throws {
    #expect(
      try modernized("@objc enum Kind: Int, PersistableEnum, RealmEnum { case a }\n")
        == "enum Kind: Int, PersistableEnum { case a }\n")
    let text = "protocol Kind: RealmEnum {}\n"
    #expect(try modernized(text) == text)
    #expect(
      try modernized("class G<T>: Object where T: Object { @objc dynamic var gg = 1 }\n")
        == "class G<T>: Object where T: Object { @Persisted var gg = 1 }\n")
  }
}
