import RealmSwift

let realm = try Realm()
try loadSamples(into: realm)

guard let issue = realm.object(ofType: Issue.self, forPrimaryKey: 1) else {
  fatalError("There is no issue 1.")
}
try realm.write {
  issue.status = .inProgress
  issue.labels.insert("csv")
}
print("#\(issue.number) is \(issue.status.rawValue): \(issue.labels.sorted().joined(separator: ", "))")
