import RealmSwift

/// What a board shows of an issue. Values of this type can be sent to any task.
struct IssueRow: Sendable {
  let number: Int
  let title: String
  let assignee: String?

  init(_ issue: Issue) {
    number = issue.number
    title = issue.title
    assignee = issue.assignee?.name
  }
}

/// Watches the issues, with a realm of its own.
actor IssueFeed {
  private var realm: Realm!

  init() async throws {
    realm = try await Realm(configuration: .tracker, actor: self)
  }

  /// Returns the open issues as they are, and again whenever they have changed.
  func boards() -> ChangeSequence<[IssueRow]> {
    realm.openIssues.changes(map: { issues in issues.map { IssueRow($0) } })
  }
}
