import RealmSwift

let realm = try Realm()
print("\(realm.objects(Issue.self).count) issues")
