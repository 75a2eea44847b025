/// What opening a realm would do to its file: a migration that is tried dry.
///
///     let plan = try Realm.migrationPlan(for: configuration)
///     print(plan)
///
/// An addition to the official SDK.
public struct MigrationPlan: Sendable, Equatable, CustomStringConvertible {
  /// What happens when the realm is opened.
  public enum Action: Sendable, Equatable {
    /// The file is made, with the classes of the program.
    case creation
    /// The file fits.
    case nothing
    /// The differences are made up for without a new schema version.
    case silent
    /// The schema version is raised, and the migration block called if there is one.
    case migration
    /// The file is deleted and made anew, as `deleteRealmIfMigrationNeeded` says.
    case deletion
    /// Opening throws an error with this message.
    case refusal(String)
  }

  /// The schema version of the file; nil when there is none yet.
  public let oldSchemaVersion: UInt64?
  /// That of the configuration.
  public let newSchemaVersion: UInt64
  /// The differences between file and classes, one line each, as in the error for a missing migration.
  public let differences: [String]
  /// Those of them by which objects lose values, unless a migration block does something about it.
  public let losses: [String]
  /// What is done.
  public let action: Action

  /// The versions, what is done, and the differences.
  public var description: String {
    let old = oldSchemaVersion.map { "\($0)" } ?? "none"
    let verdict =
      switch action {
      case .refusal(let message): "refused: \(message)"
      default: "\(action)"
      }
    let lines = differences.map { "\n- \($0)\(losses.contains($0) ? " Values are lost." : "")" }
    return "Schema version \(old) → \(newSchemaVersion): \(verdict)" + lines.joined()
  }
}
