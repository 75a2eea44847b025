import RealmSwift

let realm = try Realm()
try loadSamples(into: realm)

let open = realm.openIssues
print(open.count, "open:", open.map { "#\($0.number)" }.joined(separator: " "))

try realm.write {
  open.first?.status = .closed
}
print(open.count, "open:", open.map { "#\($0.number)" }.joined(separator: " "))
