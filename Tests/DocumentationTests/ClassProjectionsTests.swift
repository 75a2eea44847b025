import Foundation
import RealmSwift
import Testing

class HutRow: Projection<Hut> {
  @Projected(\Hut.name) var title
  @Projected(\Hut.warden?.name) var warden
  @Projected(\Hut.visits.projectTo.guest) var guests: ProjectedCollection<String>
}

struct ClassProjectionsTests {
  @Test func rows() throws {
    let mountains = try Mountains()
    let (realm, larch) = (mountains.realm, mountains.larch)
    try realm.write { larch.visits.append(Visit(value: ["guest": "Emmy"])) }
    for row in realm.objects(HutRow.self).sorted(byKeyPath: "name") {
      print(row.title, row.warden ?? "-", row.guests.joined(separator: ", "))
    }
    let rows = realm.objects(HutRow.self).sorted(byKeyPath: "name")
    #expect(rows.map(\.title) == ["Blackrock", "Larch", "Summit"])
    #expect(rows[1].warden == "Ida" && rows[1].guests[0] == "Emmy")
    let row = HutRow(projecting: larch)
    try realm.write {
      row.title = "Larch Hut"
      row.guests[0] = "Emma"
    }
    #expect(larch.name == "Larch Hut" && larch.visits[0].guest == "Emma" && row.rootObject == larch)
  }

  /// Changes have the names of the projection; what is not projected is no change.
  @MainActor @Test func observing() throws {
    let mountains = try Mountains()
    let (realm, larch) = (mountains.realm, mountains.larch)
    let lines = PrintedLines()
    func print(_ items: Any...) { lines.add(items) }
    let row = HutRow(projecting: larch)
    let token = row.observe { change in
      guard case .change(_, let properties) = change else { return }
      print(properties.map(\.name))  // ["title"]
    }
    try realm.write { larch.beds = 1 }
    realm.refresh()
    #expect(lines.next() == [])
    try realm.write { larch.name = "Larch Hut" }
    realm.refresh()
    #expect(lines.next() == [#"["title"]"#])
    token.invalidate()
  }
}
