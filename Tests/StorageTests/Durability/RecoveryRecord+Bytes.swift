import Foundation
import Testing

@testable import Storage

// The record of a file as a test finds it, and changes it.
extension RecoveryRecord {
  static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

  /// That of a file's bytes.
  static func found(in bytes: [UInt8]) -> RecoveryRecord? {
    bytes.withUnsafeBytes { RecoveryRecord($0.baseAddress!, pageSize: pageSize) }
  }

  static func found(atPath path: String) throws -> RecoveryRecord? {
    try found(in: Array(Data(contentsOf: URL(fileURLWithPath: path))))
  }

  /// Changes it as another process would.
  static func replace(atPath path: String, _ change: (inout RecoveryRecord) -> Void) throws {
    var record = try #require(try found(atPath: path))
    change(&record)
    try record.write(toPath: path)
  }

  func write(toPath path: String) throws {
    let descriptor = open(path, O_RDWR)
    defer { close(descriptor) }
    let isWritten = write(to: descriptor, pageSize: Self.pageSize)
    try #require(isWritten)
  }
}
