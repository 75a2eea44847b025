import RealmSwift

let realm = try Realm(configuration: .tracker)
try loadSamples(into: realm)

try realm.write {
  let emmy = realm.create(Person.self, value: ["name": "Emmy"])
  for issue in realm.issues(about: "import") { issue.assignee = emmy }
}

for person in realm.objects(Person.self) {
  print("\(person.name) works on \(person.issues.count) issues.")
}
let emmysCrashes = realm.objects(Issue.self).where {
  $0.assignee.name == "Emmy" && $0.labels.contains("crash")
}
for issue in emmysCrashes { print("Her crash: \(issue.title)") }
