import RealmSwift

let realm = try Realm(configuration: .tracker)
try loadSamples(into: realm)

let emmy = try realm.write {
  let emmy = realm.create(Person.self, value: ["name": "Emmy"])
  for issue in realm.issues(about: "import") {
    issue.assignee = emmy
    issue.comments.append(Comment(value: ["text": "I can reproduce it.", "author": emmy]))
  }
  return emmy
}

do {
  try realm.write { realm.delete(emmy) }
} catch Realm.Error.ruleBroken {
  print("Emmy has issues and is not deleted.")
}
