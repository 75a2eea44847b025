import RealmSwift
import Testing

struct SortingAndSectionsTests {
  @Test func sorted() throws {
    let huts = try Mountains().huts
    let byName = huts.sorted(by: \.name)
    let byBeds = huts.sorted(by: [
      SortDescriptor(keyPath: \Hut.beds, ascending: false),
      SortDescriptor(keyPath: \Hut.name),
    ])
    let byWarden = huts.sorted(byKeyPath: "warden.name")
    #expect(byName.map(\.name) == ["Blackrock", "Larch", "Summit"])
    #expect(byBeds.map(\.name) == ["Blackrock", "Larch", "Summit"])
    #expect(byWarden.count == 3)
    let kinds = huts.distinct(by: [\Hut.kind])
    #expect(kinds.count == 2)
  }

  @Test func sections() throws {
    let mountains = try Mountains()
    try mountains.realm.write { mountains.summit.name = "Ledge" }
    let huts = mountains.huts
    let sections = huts.sectioned(
      by: { $0.name.prefix(1).uppercased() }, sortDescriptors: [.init(keyPath: "name")])
    for section in sections {
      print(section.key, section.map { $0.name })
    }
    #expect(sections.allKeys == ["B", "L"])
    #expect(sections[1].map(\.name) == ["Larch", "Ledge"])
  }
}
