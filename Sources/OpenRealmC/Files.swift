public import COpenRealm
import RealmSwift

// files.h

/// Runs the body of a function that takes a configuration and may throw any error of the library.
private func code(
  with configuration: OpaquePointer?, _ body: (NumberedConfiguration) throws -> Void
) -> Int32 {
  code { () throws(Refusal) in
    try ConfigurationHandle.holding(configuration) { known throws(Refusal) in
      try refusing { try body(known.copy) }
    }
  }
}

@c @implementation public func openrealm_write_copy(
  _ realm: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ key: UnsafePointer<UInt8>?
) -> Int32 {
  code { () throws(Refusal) in
    try RealmHandle.holding(realm) { realm throws(Refusal) in
      let path = try checkedText(path)
      let key = try readKey(key)
      try refusing { try realm.numbered.writeCopy(to: path, key: key) }
    }
  }
}

@c @implementation public func openrealm_compact(
  _ configuration: OpaquePointer?, _ compacted: UnsafeMutablePointer<Bool>?
) -> Int32 {
  code(with: configuration) {
    let isDone = try $0.compact()
    compacted?.pointee = isDone
  }
}

@c @implementation public func openrealm_file_exists(
  _ configuration: OpaquePointer?, _ exists: UnsafeMutablePointer<Bool>?
) -> Int32 {
  code(with: configuration) {
    guard let exists else { throw Refusal.null }
    exists.pointee = try $0.fileExists()
  }
}

@c @implementation public func openrealm_delete_files(
  _ configuration: OpaquePointer?, _ deleted: UnsafeMutablePointer<Bool>?
) -> Int32 {
  code(with: configuration) {
    let isFound = try $0.deleteFiles()
    deleted?.pointee = isFound
  }
}

// MARK: Reports

/// Runs the body of a function that reports on a file.
private func report(
  _ count: UnsafeMutablePointer<Int>?, _ report: UnsafeMutablePointer<openrealm_value>?,
  _ body: () throws -> NumberedFiles.Report
) -> Int32 {
  code { () throws(Refusal) in
    let found = try refusing(body)
    count?.pointee = found.faultCount
    if let report { try Text.write(found.text, to: report) }
  }
}

@c @implementation public func openrealm_verify(
  _ path: UnsafePointer<CChar>?, _ key: UnsafePointer<UInt8>?, _ fault_count: UnsafeMutablePointer<Int>?,
  _ text: UnsafeMutablePointer<openrealm_value>?
) -> Int32 {
  report(fault_count, text) { try NumberedFiles.verify(try checkedText(path), key: try readKey(key)) }
}

@c @implementation public func openrealm_salvage(
  _ path: UnsafePointer<CChar>?, _ target: UnsafePointer<CChar>?, _ key: UnsafePointer<UInt8>?,
  _ fault_count: UnsafeMutablePointer<Int>?, _ text: UnsafeMutablePointer<openrealm_value>?
) -> Int32 {
  report(fault_count, text) {
    try NumberedFiles.salvage(try checkedText(path), to: try checkedText(target), key: try readKey(key))
  }
}

@c @implementation public func openrealm_convert_official(
  _ path: UnsafePointer<CChar>?, _ target: UnsafePointer<CChar>?, _ key: UnsafePointer<UInt8>?,
  _ text: UnsafeMutablePointer<openrealm_value>?
) -> Int32 {
  report(nil, text) {
    try NumberedFiles.convertOfficial(
      try checkedText(path), to: try checkedText(target), key: try readKey(key))
  }
}
