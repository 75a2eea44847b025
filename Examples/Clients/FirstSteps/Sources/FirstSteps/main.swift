import RealmSwift

class Hut: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var beds: Int
  @Persisted(originProperty: "huts") var trails: LinkingObjects<Trail>
}

class Trail: Object {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var name: String
  @Persisted var huts: List<Hut>
}

let realm = try Realm()

try realm.write {
  let larch = realm.create(Hut.self, value: ["name": "Larch", "beds": 12], update: .modified)
  realm.add(Trail(value: ["name": "Ridge", "huts": [larch]]))
}

let small = realm.objects(Hut.self).where { $0.beds < 20 }
print(small.count, small.first?.trails.first?.name ?? "no trail")

try realm.write {
  small.first?.beds = 30  // the object in the file changes…
}
print(small.count)  // …and the results follow
