import RealmSwift

let realm = try Realm()
try loadSamples(into: realm)

for issue in realm.objects(Issue.self) {
  print("#\(issue.number) \(issue.title) (\(issue.status.rawValue))")
}
