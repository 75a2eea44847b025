/// The error of every function in this folder: why a call was refused, instead of stopping the program.
///
/// Callers are bindings for other languages, whose programs must go on after a wrong call. The raw values of the codes are
/// those of the C interface (`openrealm/errors.h`) and never change.
package struct Refusal: Error {
  /// The kind of refusal.
  package enum Code: Int32, Sendable, CaseIterable {
    case error = 1
    case badArgument = 2
    case wrongThread = 3
    case closed = 4
    case noSuchClass = 5
    case noSuchProperty = 6
    case wrongType = 7
    case noSuchObject = 8
    case isNull = 9
    case notInWrite = 10
    case inWrite = 11
    case frozen = 12
    case readOnly = 13
    case primaryKey = 14
    case duplicateKey = 15
    case outOfBounds = 16
    case embedded = 17
    case otherRealm = 18
    case invalidValue = 19
    case invalidQuery = 20
    case noEventLoop = 21
    case damaged = 22
    case ruleBroken = 23
    case invalidated = 24
    case invalidSchema = 25
    case tooManyVersions = 26
    case migrationFailed = 27
    case notFound = 28
    case fileNotFound = 50
    case filePermissionDenied = 51
    case fileExists = 52
    case fileAccess = 53
    case fileOperationFailed = 54
    case outOfDiskSpace = 55
    case invalidDatabase = 56
    case unsupportedFormat = 57
    case upgradeRequired = 58
    case incompatibleLockFile = 59
    case addressSpaceExhausted = 60
    case schemaMismatch = 61
    case alreadyOpen = 62
    case schemaVersion = 63
  }

  package let code: Code
  /// A sentence in English: what is wrong, where, and what to do.
  package let message: String
  /// The file concerned.
  package let path: String?
  /// The offset of the mistake in a query, in bytes of UTF-8.
  package let position: Int?

  package init(_ code: Code, _ message: String, path: String? = nil, position: Int? = nil) {
    self.code = code
    self.message = message
    self.path = path
    self.position = position
  }
}
