/// A dry run of a migration: what opening a realm would do to its file.
///
/// ```swift
/// let plan = try Realm.migrationPlan(for: configuration)
/// print(plan)
/// ```
///
/// An addition to the official SDK.
public struct MigrationPlan: Sendable, Equatable, CustomStringConvertible {
  /// The effect of opening the realm on its file.
  public enum Action: Sendable, Equatable {
    /// The file is created, with the classes of the program.
    case creation
    /// The file matches the classes.
    case nothing
    /// The file is adapted to the classes without a new schema version.
    case silent
    /// The schema version is raised, and the migration block is called if there is one.
    case migration
    /// The file is deleted and recreated, because of `deleteRealmIfMigrationNeeded`.
    case deletion
    /// Opening throws an error with this message.
    case refusal(String)
  }

  /// The schema version of the file; nil if there is no file.
  public let oldSchemaVersion: UInt64?
  /// The schema version of the configuration.
  public let newSchemaVersion: UInt64
  /// The differences between file and classes, one line each, as in the error for a missing migration.
  public let differences: [String]
  /// The differences by which objects lose values, unless the migration block carries the values over.
  public let losses: [String]
  /// The effect of opening the realm on its file.
  public let action: Action

  /// The versions, the action, and the differences.
  public var description: String {
    let old = oldSchemaVersion.map { "\($0)" } ?? "none"
    let verdict =
      switch action {
      case .refusal(let message): "refused: \(message)"
      default: "\(action)"
      }
    let loss = " Values are lost unless the migration block carries them over."
    let lines = differences.map { "\n- \($0)\(losses.contains($0) ? loss : "")" }
    return "Schema version \(old) → \(newSchemaVersion): \(verdict)" + lines.joined()
  }
}
