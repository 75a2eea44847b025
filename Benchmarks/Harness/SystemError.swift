import Foundation

/// A system call that failed.
struct SystemError: Error, CustomStringConvertible {
  var call: String
  var path: String
  var code: Int32

  init(_ call: String, path: String) {
    self.call = call
    self.path = path
    code = errno
  }

  var description: String { "\(call) \(path): \(String(cString: strerror(code)))" }
}
