import Foundation

/// The database files of one run: per system one file as W1 leaves it, and copies of that.
final class FileStore {
  let directory: String
  private let dataset: Dataset
  private var filesAfterInsert: [System: String] = [:]
  private var filesWithPeople: [System: String] = [:]
  private var serial = 0

  /// Makes a folder of this process's own in `parent`.
  init(parent: String, dataset: Dataset) throws {
    Self.removeLeftovers(in: parent)
    directory = "\(parent)/\(getpid())"
    self.dataset = dataset
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  /// Removes what runs that crashed have left behind.
  private static func removeLeftovers(in parent: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] {
      guard let process = pid_t(name), kill(process, 0) != 0, errno == ESRCH else { continue }
      try? FileManager.default.removeItem(atPath: "\(parent)/\(name)")
    }
  }

  /// A path that no file had before: a system may remember the files it has opened.
  func newPath(for type: any MeasuredDatabase.Type, label: String) -> String {
    serial += 1
    return "\(directory)/\(label)-\(type.system.rawValue)-\(serial).\(type.fileExtension)"
  }

  /// The file after W1, closed and on the disk.
  func fileAfterInsert(for type: any MeasuredDatabase.Type) throws -> String {
    if let path = filesAfterInsert[type.system] { return path }
    let path = newPath(for: type, label: "dogs")
    let database = try type.init(path: path, durability: .full)
    try database.prepareInsert(of: dataset)
    try database.insertDogs(of: dataset)
    database.discardPrepared()
    try database.close()
    filesAfterInsert[type.system] = path
    return path
  }

  /// The file after W1 and W15.
  func fileWithPeople(for type: any QueryingDatabase.Type) throws -> String {
    if let path = filesWithPeople[type.system] { return path }
    let path = try copyOfFileAfterInsert(for: type, label: "people")
    let database = try type.init(path: path, durability: .full)
    try database.appendDogsToPeople(count: dataset.peopleCount, dogsPerPerson: Dataset.dogsPerPerson)
    try database.close()
    filesWithPeople[type.system] = path
    return path
  }

  /// A copy that is on the disk, so that no measurement pays for writing it back.
  func copyOfFileAfterInsert(for type: any MeasuredDatabase.Type, label: String) throws -> String {
    let source = try fileAfterInsert(for: type)
    let target = newPath(for: type, label: label)
    try Self.copy(source, to: target)
    return target
  }

  func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm", "-journal", "-lock"] {
      unlink(path + suffix)
    }
  }

  func removeAll() {
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// Writes as much at once as LMDB does. Linux keeps what was written at once together, and a page written later into more
  /// of it takes longer: 1 µs here, 1.8 µs in a copy made a megabyte at a time.
  private static func copy(_ source: String, to target: String) throws {
    let input = open(source, O_RDONLY)
    guard input >= 0 else { throw SystemError("open", path: source) }
    defer { close(input) }
    let output = open(target, O_WRONLY | O_CREAT | O_EXCL, 0o644)
    guard output >= 0 else { throw SystemError("open", path: target) }
    defer { close(output) }
    try withUnsafeTemporaryAllocation(byteCount: 256 << 10, alignment: 4096) { buffer in
      while true {
        let size = read(input, buffer.baseAddress!, buffer.count)
        guard size >= 0 else { throw SystemError("read", path: source) }
        if size == 0 { break }
        var written = 0
        while written < size {
          let count = write(output, buffer.baseAddress! + written, size - written)
          guard count > 0 else { throw SystemError("write", path: target) }
          written += count
        }
      }
    }
    guard fsync(output) == 0 else { throw SystemError("fsync", path: target) }
  }
}
