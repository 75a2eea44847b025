/// Where in a file something is read: makes errors of what is found to be wrong there.
struct Place: Hashable, Sendable {
  let path: String
  var className: String?
  var property: String?

  /// Anything but damage, such as what the caller's block throws, stays as it is.
  func error(_ error: any Error) -> any Error {
    switch error {
    case let damage as Damage:
      let damaged = OfficialFileError.Damaged(
        what: damage.what, className: className, property: property, offset: damage.offset)
      return OfficialFileError(path: path, reason: .damaged(damaged))
    case let unsupported as Unsupported:
      return OfficialFileError(path: path, reason: .unsupported(unsupported.what))
    default: return error
    }
  }

  func locating<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { throw self.error(error) }
  }

  /// Everything that is thrown while no code of others is called.
  func fileError(_ error: any Error) -> OfficialFileError {
    guard let error = self.error(error) as? OfficialFileError else { preconditionFailure("\(error)") }
    return error
  }
}
