import Foundation
import TestSupport

/// A program of classes that `realm schema --swift` has written, compiled against the library that was built.
struct GeneratedProgram {
  private let folder = ScratchFolder()
  private static let products = BuiltProducts.file("Modules").deletingLastPathComponent()
  private static let storeModules = ["EarlierFiles", "LibC", "Pages"]
  private static let modules =
    [
      "RealmSwift", "OfficialConversion", "OfficialFiles", "QueryEngine", "Storage", "Encryption",
      "SwiftRuntime",
    ] + storeModules

  /// Opens the file that is its first argument with the classes, and makes one with the same classes at the second.
  private static let main = """
    import Foundation
    import RealmSwift

    func openRealm(_ path: Swift.String, readOnly: Swift.Bool, version: Swift.UInt64) throws {
      let configuration = RealmSwift.Realm.Configuration(
        fileURL: URL(fileURLWithPath: path), readOnly: readOnly, schemaVersion: version)
      _ = try RealmSwift.Realm(configuration: configuration)
    }
    let arguments = CommandLine.arguments
    try openRealm(arguments[1], readOnly: true, version: Swift.UInt64(arguments[3])!)
    try openRealm(arguments[2], readOnly: false, version: Swift.UInt64(arguments[3])!)
    """

  init(_ classes: String) throws {
    try classes.write(to: folder.file("classes.swift"), atomically: true, encoding: .utf8)
    try Self.main.write(to: folder.file("main.swift"), atomically: true, encoding: .utf8)
  }

  private var libraries: [String] {
    let sources = Repository.folder.appending(path: "Sources")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: sources.path)) ?? []
    return names.filter { $0.hasPrefix("C") }.flatMap { name in
      let path = sources.appending(path: name).path
      return ["-I", path, "-Xcc", "-I\(path)"]
    }
  }

  /// Whether an object file was made of a source that is no longer there.
  private static func isLeftOver(_ path: String, _ module: String) -> Bool {
    let name = URL(fileURLWithPath: path).lastPathComponent
    guard name.hasSuffix(".swift.o") else { return false }
    return sources[module]?.contains(String(name.dropLast(2))) == false
  }

  /// The names of the sources of each module.
  private static let sources: [String: Set<String>] = Dictionary(
    uniqueKeysWithValues: modules.map { module in
      let folder = Repository.folder.appending(path: "Sources/\(module)")
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)!
      return (module, Set(files.compactMap { ($0 as? URL)?.lastPathComponent }))
    })

  private func compile(_ words: [String]) throws -> RealmProgram.Outcome {
    try RealmProgram.run(
      URL(fileURLWithPath: "/usr/bin/env"),
      ["swiftc", "-swift-version", "6", "-module-name", "Program", "-I", Self.products.path + "/Modules"]
        + libraries + [folder.path("classes.swift"), folder.path("main.swift")] + words, input: nil)
  }

  func typecheck() throws -> RealmProgram.Outcome { try compile(["-typecheck", "-warnings-as-errors"]) }

  /// Compiles, links and runs the program.
  ///
  /// - Parameters:
  ///   - file: The file that has the classes.
  ///   - new: The path of a file to be made with them.
  ///   - version: The version of the file's schema.
  func run(_ file: String, _ new: String, version: Int) throws -> RealmProgram.Outcome {
    let objects = Self.modules.flatMap { module in
      let build = Self.products.appending(path: "\(module).build")
      return FileManager.default.enumerator(at: build, includingPropertiesForKeys: nil)!
        .compactMap { ($0 as? URL)?.path }.filter { $0.hasSuffix(".o") && !Self.isLeftOver($0, module) }
    }
    let compiled = try compile(objects + ["-o", folder.path("program")])
    if compiled.status != 0 { return compiled }
    return try RealmProgram.run(folder.file("program"), [file, new, "\(version)"], input: nil)
  }
}
