import Foundation
import TestSupport
import Testing

/// What a program sees that uses the library: the compiler is asked, as it would be for another package.
struct VisibilityTests {
  /// Types of Storage and of QueryEngine that nobody else sees.
  private static let hidden = ["DatabaseFile", "Catalogue", "PredicateExpression", "SortKey"]
  /// Those of which inlinable code of the library knows: seen by who imports Storage, which no product offers.
  private static let known = ["Snapshot", "Table"]

  /// The errors of a file.
  private func errors(_ source: String) throws -> [String] {
    let folder = ScratchFolder()
    try Data(source.utf8).write(to: folder.file("client.swift"))
    let products = try #require(Repository.products)
    let sources = Repository.folder.appending(path: "Sources")
    let libraries = try FileManager.default.contentsOfDirectory(atPath: sources.path).filter {
      $0.hasPrefix("C")
    }
    let words =
      ["/usr/bin/env", "swiftc", "-swift-version", "6", "-typecheck", folder.path("client.swift")]
      + (["\(products.path)/Modules"] + libraries.map { "\(sources.path)/\($0)" }).flatMap { ["-I", $0] }
    // It leaves folders behind.
    let compiler = try ChildProgram.run(words, environment: ["TMPDIR": folder.url.path], readsError: true)
    let text = String(decoding: compiler.said, as: UTF8.self)
    return text.split(separator: "\n").filter { $0.contains("client.swift:") && $0.contains(" error: ") }
      .map { String($0[$0.range(of: " error: ")!.upperBound...]) }
  }

  @Test func layersBelowAreNotSeen() throws {
    try expect(notFound: Self.hidden + Self.known, after: ["RealmSwift"])
  }

  @Test func layersBelowShowNothingElse() throws {
    try expect(notFound: Self.hidden, after: ["RealmSwift", "Storage", "QueryEngine"])
  }

  /// These types are not found, and there is no other error.
  private func expect(notFound types: [String], after modules: [String]) throws {
    let imports = modules.map { "import \($0)\n" }.joined()
    let uses = types.map { "func use(_: \($0)) {}\n" }.joined()
    let found = try errors("\(imports)func use(_: Realm, _: Object) {}\n\(uses)")
    #expect(found == types.map { "cannot find type '\($0)' in scope" })
  }
}
