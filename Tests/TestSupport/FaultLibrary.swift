import Foundation

/// The library of Tests/FaultInjection, for LD_PRELOAD. It is compiled by the tests themselves, so that the package offers
/// no product that is of use to tests only.
public enum FaultLibrary {
  /// The path of the library, which is compiled the first time that this process needs it, if it is missing or older than
  /// its sources.
  public static let path: String = {
    let library = Repository.folder.appending(path: ".build/fault-injection/libFaultInjection.so")
    let sources = files(in: "Tests/FaultInjection") + files(in: "Tests/FaultInjection/include")
    precondition(sources.contains { $0.pathExtension == "c" }, "Tests/FaultInjection has no sources")
    let isCurrent = sources.allSatisfy { change(of: $0) < change(of: library) }
    if !isCurrent { compile(sources.filter { $0.pathExtension == "c" }, to: library) }
    return library.path
  }()

  private static func files(in folder: String) -> [URL] {
    let folder = Repository.folder.appending(path: folder)
    return (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
  }

  private static func change(of file: URL) -> Date {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    return attributes?[.modificationDate] as? Date ?? .distantPast
  }

  /// Compiles under a name of its own, then renames: other processes may do the same at the same time.
  private static func compile(_ sources: [URL], to library: URL) {
    let made = library.path + ".\(ProcessInfo.processInfo.processIdentifier)"
    let include = Repository.folder.appending(path: "Tests/FaultInjection/include").path
    let words = [
      "/usr/bin/env", "clang", "-shared", "-fPIC", "-O2", "-D_GNU_SOURCE", "-I", include, "-o", made,
    ]
    do {
      try FileManager.default.createDirectory(
        at: library.deletingLastPathComponent(), withIntermediateDirectories: true)
      let compiler = try ChildProgram.run(words + sources.map(\.path))
      guard compiler.end == .exit(0), rename(made, library.path) == 0 else {
        fatalError("Tests/FaultInjection cannot be compiled: \(compiler.end)")
      }
    } catch {
      fatalError("Tests/FaultInjection cannot be compiled: \(error)")
    }
  }
}
