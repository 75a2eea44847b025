/// Programs of which system calls fail, by the library of Tests/FaultInjection.
public enum FailingCalls {
  /// The environment of a program all of whose calls of these kinds fail in a folder.
  public static func environment(_ calls: String, error: Int32, in folder: String) -> [String: String] {
    [
      "LD_PRELOAD": FaultLibrary.path, "FAULT_PREFIX": folder,
      "FAULT_CALLS": calls, "FAULT_AT": "1", "FAULT_COUNT": "0",
      "FAULT_ERRNO": "\(error)",
      // Looking for the names of functions would take long.
      "SWIFT_BACKTRACE": "enable=no",
    ]
  }
}
