import RealmSwift
import Storage

extension NumberedRealm {
  /// Runs a body in a write transaction on the newest version, and commits it durably. Nothing is changed when the body throws.
  ///
  /// - Parameter lock: The writer lock that was requested; nil to wait for it here.
  /// - Throws: `StudioFault`, and what else the body throws.
  func transaction<Result>(_ lock: WriteRequest? = nil, _ body: () throws -> Result) throws -> Result {
    do { try begin(lock) } catch { throw StudioFault(error) }
    let result: Result
    do {
      result = try body()
    } catch {
      if (try? isWriting()) == true { try? cancel() }
      throw error
    }
    do {
      try commit()
    } catch {
      if (try? isWriting()) == true { try? cancel() }
      throw StudioFault(error)
    }
    return result
  }

  /// Runs a body in a write transaction that changes nothing.
  func trial<Result>(_ lock: WriteRequest?, _ body: () throws -> Result) throws -> Result {
    do { try begin(lock) } catch { throw StudioFault(error) }
    defer { if (try? isWriting()) == true { try? cancel() } }
    return try body()
  }
}

extension StudioFault {
  /// The fault for an error of an operation, which it names, with the property if it concerns one.
  init(_ error: any Error, _ operation: Operation, property: Int? = nil) {
    var details = "\"operation\":\(operation.index)"
    if let property = property ?? (try? operation.property()) { details += ",\"property\":\(property)" }
    self.init(error, details: details)
  }
}
