import Dispatch
import RealmSwift
import TestSupport
import Testing

struct SortingAndSectionsTests {
  @Test func sorted() throws {
    let mountains = try Mountains()
    let huts = mountains.huts
    let byName = huts.sorted(by: \.name)
    let byBeds = huts.sorted(by: [
      SortDescriptor(keyPath: \Hut.beds, ascending: false),
      SortDescriptor(keyPath: \Hut.name),
    ])
    let byWarden = huts.sorted(byKeyPath: "warden.name")
    #expect(byName.map(\.name) == ["Blackrock", "Larch", "Summit"])
    #expect(byBeds.map(\.name) == ["Blackrock", "Larch", "Summit"])
    #expect(byWarden.map(\.name).first == "Larch")
    try mountains.realm.write {
      mountains.summit.visits.append(Visit(value: ["guest": "Emmy", "nights": 2] as [String: Any]))
      mountains.larch.prices["EUR"] = 20
    }
    let mostVisited = huts.sorted(byKeyPath: "visits.@count", ascending: false)
    let longestStay = huts.sorted(byKeyPath: "visits.@max.nights", ascending: false)
    #expect(mostVisited.first?.name == "Summit")
    #expect(longestStay.first?.name == "Summit")
    #expect(huts.sorted(byKeyPath: "prices['EUR']", ascending: false).first?.name == "Larch")
    let kinds = huts.distinct(by: [\Hut.kind])
    #expect(kinds.count == 2)
    let page = Array(byName.dropFirst(1).prefix(2))
    #expect(page.map(\.name) == ["Larch", "Summit"])
    let last = "Blackrock"
    #expect(huts.where { $0.name > last }.sorted(by: \.name).map(\.name) == ["Larch", "Summit"])
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
    let byKind = huts.sectioned(by: \.kind)
    print(byKind.allKeys, byKind[0].count)
    #expect(byKind.allKeys == [.bivouac, .staffed])
    #expect(byKind[0].count == 1)
  }

  @MainActor @Test func observedSections() async throws {
    let mountains = try Mountains()
    let byKind = mountains.huts.sectioned(by: \.kind)
    let token = byKind.observe { change in
      if case .update(let sections, _, let insertions, _, let newSections, let goneSections) = change {
        print(sections.count, insertions, newSections, goneSections)
      }
    }
    try mountains.realm.write { mountains.larch.kind = .selfService }
    #expect(byKind.allKeys == [.bivouac, .selfService, .staffed])
    token.invalidate()
  }
}
