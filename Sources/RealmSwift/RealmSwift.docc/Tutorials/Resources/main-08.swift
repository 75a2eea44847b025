import RealmSwift

let realm = try Realm()
try loadSamples(into: realm)

let issues = realm.objects(Issue.self)
for (status, count) in issues.grouped(by: \.status).counts.sorted(by: { $0.value > $1.value }) {
  print(status.rawValue, count)
}
print("most urgent:", realm.openIssues.min(of: \.priority) ?? 0)
