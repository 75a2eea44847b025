import COpenRealm
import RealmSwift

@c @implementation public func openrealm_code_name(_ code: Int32) -> UnsafePointer<CChar>? {
  let name: StaticString =
    code == 0 ? "OPENREALM_OK" : Refusal.Code(rawValue: code)?.constantName ?? "OPENREALM_ERROR"
  return UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
}

extension Refusal.Code {
  /// The name of the constant in errors.h. Literals end with a zero byte.
  fileprivate var constantName: StaticString {
    switch self {
    case .error: "OPENREALM_ERROR"
    case .badArgument: "OPENREALM_BAD_ARGUMENT"
    case .wrongThread: "OPENREALM_WRONG_THREAD"
    case .closed: "OPENREALM_CLOSED"
    case .noSuchClass: "OPENREALM_NO_SUCH_CLASS"
    case .noSuchProperty: "OPENREALM_NO_SUCH_PROPERTY"
    case .wrongType: "OPENREALM_WRONG_TYPE"
    case .noSuchObject: "OPENREALM_NO_SUCH_OBJECT"
    case .isNull: "OPENREALM_IS_NULL"
    case .notInWrite: "OPENREALM_NOT_IN_WRITE"
    case .inWrite: "OPENREALM_IN_WRITE"
    case .frozen: "OPENREALM_FROZEN"
    case .readOnly: "OPENREALM_READ_ONLY"
    case .primaryKey: "OPENREALM_PRIMARY_KEY"
    case .duplicateKey: "OPENREALM_DUPLICATE_KEY"
    case .outOfBounds: "OPENREALM_OUT_OF_BOUNDS"
    case .embedded: "OPENREALM_EMBEDDED"
    case .otherRealm: "OPENREALM_OTHER_REALM"
    case .invalidValue: "OPENREALM_INVALID_VALUE"
    case .invalidQuery: "OPENREALM_INVALID_QUERY"
    case .noEventLoop: "OPENREALM_NO_EVENT_LOOP"
    case .damaged: "OPENREALM_DAMAGED"
    case .ruleBroken: "OPENREALM_RULE_BROKEN"
    case .invalidated: "OPENREALM_INVALIDATED"
    case .invalidSchema: "OPENREALM_INVALID_SCHEMA"
    case .tooManyVersions: "OPENREALM_TOO_MANY_VERSIONS"
    case .migrationFailed: "OPENREALM_MIGRATION_FAILED"
    case .notFound: "OPENREALM_NOT_FOUND"
    case .fileNotFound: "OPENREALM_FILE_NOT_FOUND"
    case .filePermissionDenied: "OPENREALM_FILE_PERMISSION_DENIED"
    case .fileExists: "OPENREALM_FILE_EXISTS"
    case .fileAccess: "OPENREALM_FILE_ACCESS"
    case .fileOperationFailed: "OPENREALM_FILE_OPERATION_FAILED"
    case .outOfDiskSpace: "OPENREALM_OUT_OF_DISK_SPACE"
    case .invalidDatabase: "OPENREALM_INVALID_DATABASE"
    case .unsupportedFormat: "OPENREALM_UNSUPPORTED_FORMAT"
    case .upgradeRequired: "OPENREALM_UPGRADE_REQUIRED"
    case .incompatibleLockFile: "OPENREALM_INCOMPATIBLE_LOCK_FILE"
    case .addressSpaceExhausted: "OPENREALM_ADDRESS_SPACE_EXHAUSTED"
    case .schemaMismatch: "OPENREALM_SCHEMA_MISMATCH"
    case .alreadyOpen: "OPENREALM_ALREADY_OPEN"
    case .schemaVersion: "OPENREALM_SCHEMA_VERSION"
    }
  }
}
