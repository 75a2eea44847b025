import RealmSwift

let realm = try Realm()
try loadSamples(into: realm)

for issue in realm.issues(about: "import") {
  print("#\(issue.number) \(issue.title)")
}
