import RealmSwift

extension Realm {
  /// The issues that are not closed, the most urgent first.
  var openIssues: Results<Issue> {
    objects(Issue.self)
      .where { $0.status != .closed }
      .sorted(by: [SortDescriptor(keyPath: \Issue.priority), SortDescriptor(keyPath: \Issue.number)])
  }

  /// The issues that have the text in their title or details, or as a label.
  func issues(about text: String) -> Results<Issue> {
    objects(Issue.self).where {
      $0.title.contains(text, options: .caseInsensitive)
        || $0.details.contains(text, options: .caseInsensitive)
        || $0.labels.contains(text)
    }
  }
}
