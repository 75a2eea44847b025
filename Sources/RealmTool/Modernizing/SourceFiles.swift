import Foundation
import LibC
import Storage

/// The Swift files that a command is given, some of them in folders.
enum SourceFiles {
  /// Returns the paths of files, and of all `.swift` files in folders and below them, in order. Build folders and others that begin with a
  /// dot are left out.
  ///
  /// - Throws: `ToolError` when a path does not exist.
  static func find(_ operands: [String]) throws -> [String] {
    var paths: [String] = []
    for operand in operands {
      guard InputFile.exists(operand) else { throw ToolError("'\(operand)' does not exist.") }
      if !InputFile.isFolder(operand) {
        paths.append(operand)
        continue
      }
      guard let names = FileManager.default.enumerator(atPath: operand) else { continue }
      var found: [String] = []
      for case let name as String in names {
        if name.split(separator: "/").last?.hasPrefix(".") == true {
          names.skipDescendants()
        } else if name.hasSuffix(".swift"), !InputFile.isFolder("\(operand)/\(name)") {
          found.append(operand.hasSuffix("/") ? operand + name : "\(operand)/\(name)")
        }
      }
      paths += found.sorted()
    }
    var seen: Set<String> = []
    return paths.filter { seen.insert($0).inserted }
  }

  /// Replaces a file in one step, with the permissions and the owner of the former one.
  ///
  /// - Throws: `ToolError`; the file is then what it was.
  static func replace(_ path: String, with bytes: [UInt8]) throws {
    func failure() -> ToolError {
      ToolError("Failed to write '\(path)': \(String(cString: strerror(errno)))")
    }
    // What a symbolic link leads to is replaced, not the link.
    guard let resolved = realpath(path, nil) else { throw failure() }
    defer { free(resolved) }
    let target = String(cString: resolved)
    guard let permissions = FilePermissions(path: target), access(target, W_OK) == 0 else { throw failure() }
    let place = "\(target).\(getpid()).new"
    let descriptor = openBesidesStandard(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure() }
    UnfinishedOutput.add(place)
    defer {
      close(descriptor)
      UnfinishedOutput.remove(place)
    }
    let stream = OutputStream(descriptor, name: "'\(path)'")
    try stream.write(bytes)
    try stream.flush()
    guard permissions.restore(on: descriptor) || permissions.pass(toCopy: descriptor), fsync(descriptor) == 0,
      rename(place, target) == 0
    else { throw failure() }
  }
}
