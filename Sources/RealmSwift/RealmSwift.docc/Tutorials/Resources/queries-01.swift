import RealmSwift

extension Realm {
  /// The issues that are not closed, the most urgent first.
  var openIssues: Results<Issue> {
    objects(Issue.self)
      .where { $0.status != .closed }
      .sorted(by: [SortDescriptor(keyPath: \Issue.priority), SortDescriptor(keyPath: \Issue.number)])
  }
}
