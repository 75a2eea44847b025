import RealmSwift
import Testing

struct PerformanceTests {
  @Test func explained() throws {
    let trails = try Mountains().trails
    print(trails.where { $0.length > 10 && $0.difficulty == 3 }.explain())
    #expect(trails.where { $0.length > 10 && $0.difficulty == 3 }.count == 1)
  }

  @Test func batches() throws {
    let mountains = try Mountains()
    let realm = mountains.realm
    let names = (0..<20_001).map { "Trail \($0)" }
    for batch in stride(from: 0, to: names.count, by: 10_000) {
      try realm.write {
        for name in names[batch..<min(batch + 10_000, names.count)] {
          realm.create(Trail.self, value: ["name": name], update: .modified)
        }
      }
    }
    #expect(realm.objects(Trail.self).count == 20_003)
  }
}
