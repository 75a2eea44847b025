import RealmSwift

let realm = try Realm()

let issue = Issue()
issue.title = "Export has no header row"
try realm.write {
  realm.add(issue)
}
print("#\(issue.number) \(issue.title)")
