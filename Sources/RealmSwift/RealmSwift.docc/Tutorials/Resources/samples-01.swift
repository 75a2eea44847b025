import RealmSwift

/// Replaces all objects of the file by four issues.
func loadSamples(into realm: Realm) throws {
  let samples: [[String: Any]] = [
    ["number": 1, "title": "Export has no header row", "priority": 2, "labels": ["export"]],
    ["number": 2, "title": "Crash on an empty file", "priority": 1, "labels": ["crash", "import"]],
    ["number": 3, "title": "Typo in the manual", "status": Status.closed],
    ["number": 4, "title": "Import is slow", "details": "50 seconds for one file.", "labels": ["import"]],
  ]
  try realm.write {
    realm.deleteAll()
    for sample in samples { realm.create(Issue.self, value: sample) }
  }
}
