import RealmSwift

let realm = try Realm()
try loadSamples(into: realm)

guard let issue = realm.object(ofType: Issue.self, forPrimaryKey: 3) else {
  fatalError("There is no issue 3.")
}
try realm.write {
  realm.delete(issue)
}
print("\(realm.objects(Issue.self).count) issues are left, and #3 is gone: \(issue.isInvalidated)")
