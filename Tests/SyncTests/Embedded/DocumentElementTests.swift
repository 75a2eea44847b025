import Storage
import Sync
import TestSupport
import Testing

/// Embedded objects in lists and maps between files, a real server, and SQL programs: what is the same for both.
@Suite struct DocumentElementTests {
  @Test(arguments: DocumentStory.kinds) func objectsArriveWithAllThatTheyHold(kind: CollectionType) throws {
    let story = try DocumentStory(kind)
    #expect(try story.exchange() == ["a 1 [x y] (p)", "b 2 []", "c 3 []"])
    let found = try story.rows(
      """
      select value #>> '{v,name,v}', value #>> '{v,tags,v,1,v}', value #>> '{v,part,v,name,v}'
        from app."Shelf.items" order by value #>> '{v,name,v}'
      """)
    #expect(found == ["a y p", "b - -", "c - -"])
    for file in story.files { #expect(try file.client.audit()?.differences == 0) }
  }

  @Test(arguments: DocumentStory.kinds) func whatIsChangedAnywhereInAnObjectArrivesInPlace(
    kind: CollectionType
  ) throws {
    let story = try DocumentStory(kind)
    let (first, second) = (story.files[0], story.files[1])
    let rows = try second.rows()
    try first.edit(0) { $0.items.setString(DocumentModel.name, $1, "A") }
    #expect(try story.exchange() == ["A 1 [x y] (p)", "b 2 []", "c 3 []"])
    try first.edit(0) { $0.items.removeElements(DocumentModel.tags, $1, 0..<1) }
    #expect(try story.exchange()[0] == "A 1 [y] (p)")
    try first.edit(0) { place, row in
      place.parts.setString(0, place.items.link(DocumentModel.part, row)!, "q")
    }
    #expect(try story.exchange()[0] == "A 1 [y] (q)")
    try first.edit(0) { $0.items.setLink(DocumentModel.part, $1, nil) }
    #expect(try story.exchange()[0] == "A 1 [y]")
    try first.edit(1) { place, row in
      let part = place.parts.insertRow()
      place.parts.setString(0, part, "new")
      place.items.setLink(DocumentModel.part, row, part)
    }
    #expect(try story.exchange()[1] == "b 2 [] (new)")
    #expect(try second.rows() == rows)
  }

  @Test(arguments: DocumentStory.kinds) func ofTwoEditsOfAnElementTheLaterWinsAsAWhole(
    kind: CollectionType
  ) throws {
    let story = try DocumentStory(kind)
    let (first, second) = (story.files[0], story.files[1])
    try first.edit(0) { $0.items.setString(DocumentModel.name, $1, "A") }
    try first.edit(1) { $0.items.setString(DocumentModel.name, $1, "B") }
    try second.edit(0) { $0.items.setInteger(DocumentModel.count, $1, 9) }
    // Later, of another element: it makes the edits before no later.
    try first.edit(2) { $0.items.setString(DocumentModel.name, $1, "C") }
    #expect(try story.exchange() == ["a 9 [x y] (p)", "B 2 []", "C 3 []"])
  }

  @Test(arguments: DocumentStory.kinds) func anAuditComparesTheContents(kind: CollectionType) throws {
    let story = try DocumentStory(kind)
    try story.files[0].write { snapshot in
      Writer(snapshot).transaction.origin = .sync
      snapshot.table(DocumentModel.item).setString(DocumentModel.name, story.files[0].item(1), "wrong")
    }
    #expect(try story.files[0].client.audit()?.differences == 1)
    #expect(try story.exchange() == ["a 1 [x y] (p)", "b 2 []", "c 3 []"])
  }
}
