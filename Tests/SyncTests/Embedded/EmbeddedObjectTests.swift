import Storage
import Sync
import Testing

/// Two files and an SQL program that change the address of a person.
@Suite struct EmbeddedObjectTests {
  /// A person with an address that both files have.
  private func story(latitude: Double? = nil) throws -> (EmbeddedStory, EmbeddedFile, EmbeddedFile) {
    let story = try EmbeddedStory()
    try story.files[0].create(1, "Ada")
    try story.files[0].setAddress(1, "Turin", number: 3, latitude: latitude)
    try story.exchange()
    return (story, story.files[0], story.files[1])
  }

  @Test func embeddedObjectsArrive() throws {
    let (story, _, second) = try story(latitude: 45.5)
    #expect(try second.persons() == ["1 Ada: Turin 3 at 45.5"])
    #expect(try story.rows() == ["Ada t Turin 3 t 45.5"])
  }

  @Test func objectsWithoutAnEmbeddedObjectArriveWithoutOne() throws {
    let story = try EmbeddedStory()
    try story.files[0].create(1, "Ada")
    #expect(try story.persons() == ["1 Ada"])
    #expect(try story.rows() == ["Ada f  - f 0"])
  }

  @Test func anObjectAndItsEmbeddedObjectsAreCreatedInOneTransaction() throws {
    let story = try EmbeddedStory()
    try story.files[1].write { snapshot in
      let row = snapshot.table(EmbeddedModel.person).insertRow()
      snapshot.table(EmbeddedModel.person).setInteger(0, row, 7)
      snapshot.setAddress(row, "Lyon", latitude: 1)
      snapshot.setAddress(row, "Paris", number: 2, latitude: 4)
    }
    #expect(try story.persons() == ["7 : Paris 2 at 4.0"])
  }

  @Test func editsOfDifferentPropertiesOfAnEmbeddedObjectAreBothKept() throws {
    let (story, first, second) = try story(latitude: 1)
    try first.setCity(1, "Rome")
    try second.setNumber(1, 9)
    try second.edit(1) { addresses, row in
      second.writer.table(EmbeddedModel.geo).setDouble(0, addresses.link(2, row)!, 2)
    }
    #expect(try story.persons() == ["1 Ada: Rome 9 at 2.0"])
    #expect(try story.rows() == ["Ada t Rome 9 t 2"])
  }

  @Test func theLaterEditOfAPropertyWinsWhicheverArrivesFirst() throws {
    for isLaterFirst in [false, true] {
      let (story, first, second) = try story()
      try first.setCity(1, "Rome")
      try second.setCity(1, "Oslo")
      if isLaterFirst { try second.client.push() }
      #expect(try story.persons() == ["1 Ada: Oslo 3"])
    }
  }

  @Test func anEditIsLateBesideTheRemovalOfTheObject() throws {
    for isRestarted in [false, true] {
      let (story, first, second) = try story(latitude: 1)
      try first.setAddress(1, nil)
      try second.setCity(1, "Oslo")
      if isRestarted {
        try first.restart()
        try second.restart()
      }
      #expect(try story.persons() == ["1 Ada"])
      // The column has what was written last, which no file shows.
      #expect(try story.rows() == ["Ada f Oslo - f 0"])
    }
  }

  @Test func aNewObjectBesideALaterEditHasTheEdit() throws {
    let (story, first, second) = try story(latitude: 1)
    try first.setAddress(1, "Rome")
    try second.setCity(1, "Oslo")
    #expect(try story.persons() == ["1 Ada: Oslo"])
  }

  @Test func aNewObjectReplacesEarlierEdits() throws {
    let (story, first, second) = try story(latitude: 1)
    try second.setNumber(1, 8)
    try second.setCity(1, "Oslo")
    try first.setAddress(1, "Rome")
    #expect(try story.persons() == ["1 Ada: Rome"])
    #expect(try story.rows() == ["Ada t Rome - f 0"])
  }

  @Test func ofARemovalAndANewObjectTheLaterWins() throws {
    for isRemovedLast in [false, true] {
      let (story, first, second) = try story(latitude: 1)
      if !isRemovedLast { try first.setAddress(1, nil) }
      try second.setAddress(1, "Oslo", number: 4, latitude: 2)
      if isRemovedLast { try first.setAddress(1, nil) }
      #expect(try story.persons() == [isRemovedLast ? "1 Ada" : "1 Ada: Oslo 4 at 2.0"])
    }
  }

  @Test func anObjectIsRemovedAndCreatedAgain() throws {
    for isSentBetween in [false, true] {
      let (story, first, _) = try story(latitude: 1)
      try first.setCity(1, "Rome")
      try first.setAddress(1, nil)
      if isSentBetween { #expect(try story.persons() == ["1 Ada"]) }
      try first.setAddress(1, "Oslo", latitude: 2)
      try first.setNumber(1, 6)
      #expect(try story.persons() == ["1 Ada: Oslo 6 at 2.0"])
    }
  }

  @Test func deletingAnEmbeddedObjectRemovesItEverywhere() throws {
    let (story, first, _) = try story(latitude: 1)
    try first.edit(1) { addresses, row in
      first.writer.table(EmbeddedModel.geo).deleteRow(addresses.link(2, row)!)
    }
    #expect(try story.persons() == ["1 Ada: Turin 3"])
    try first.edit(1) { $0.deleteRow($1) }
    #expect(try story.persons() == ["1 Ada"])
  }

  @Test func anObjectThatIsReplacedAfterAnEditInOneTransactionIsNew() throws {
    let (story, first, _) = try story(latitude: 1)
    try first.edit(1) { addresses, row in
      addresses.setString(0, row, "Rome")
      addresses.deleteRow(row)
      first.writer.setAddress(first.person(1), "Oslo", latitude: 3)
    }
    #expect(try story.persons() == ["1 Ada: Oslo at 3.0"])
  }

  @Test func nestedObjectsComeAndGo() throws {
    let (story, first, second) = try story()
    try first.edit(1) { first.writer.setPlace($1, 5) }
    #expect(try story.persons() == ["1 Ada: Turin 3 at 5.0"])
    try second.edit(1) { $0.setLink(2, $1, nil) }
    #expect(try story.persons() == ["1 Ada: Turin 3"])
    // One file gives the address a place, and the other one a new address.
    try second.setAddress(1, "Rome")
    try first.edit(1) { first.writer.setPlace($1, 6) }
    #expect(try story.persons() == ["1 Ada: Rome at 6.0"])
  }

  @Test func deletingTheOwnerDeletesWhatItHolds() throws {
    let (story, first, second) = try story(latitude: 1)
    try second.setCity(1, "Oslo")
    try first.write { $0.table(EmbeddedModel.person).deleteRow(first.person(1)) }
    #expect(try story.persons().isEmpty)
    try first.create(1, "Eve")
    try first.setAddress(1, "Rome")
    #expect(try story.persons() == ["1 Eve: Rome"])
  }

  @Test func objectsWithOneKeyAreOneWithOneEmbeddedObject() throws {
    let story = try EmbeddedStory()
    for (number, file) in story.files.enumerated() {
      try file.create(1, "Ada \(number)")
      try file.setAddress(1, "City \(number)", number: number == 0 ? 7 : nil)
    }
    try story.files[0].setNumber(1, 8)
    #expect(try story.persons() == ["1 Ada 1: City 1 8"])
  }

  @Test func valuesWithoutAnObjectAreHidden() throws {
    let (story, first, _) = try story()
    try first.setAddress(1, nil)
    try story.exchange()
    try story.outsider.run("update app.\"Person\" set address_city = 'Oslo', address_geo = true")
    #expect(try story.persons() == ["1 Ada"])
    try story.outsider.run("update app.\"Person\" set address = true")
    #expect(try story.persons() == ["1 Ada: Oslo at 0.0"])
    try story.outsider.run("update app.\"Person\" set address = false")
    #expect(try story.persons() == ["1 Ada"])
  }

  @Test func anObjectThatAnSQLProgramCreatesHasWhatTheColumnsHave() throws {
    let (story, first, second) = try story(latitude: 1)
    // Both files remove the address, which an SQL program then gives back.
    try first.setAddress(1, nil)
    try first.client.push()
    try story.outsider.run("update app.\"Person\" set address = true, address_city = 'Bonn'")
    try second.setAddress(1, nil)
    #expect(try story.persons() == ["1 Ada: Bonn"])
  }

  @Test func anObjectThatAPullCreatesHasNothingOfWhatWaits() throws {
    let (story, _, second) = try story(latitude: 1)
    try second.setAddress(1, nil)
    for isPresent in [false, true] {
      try story.outsider.run("update app.\"Person\" set address = \(isPresent)")
    }
    // The removal waits, and its columns are younger than those of the server; the address came back later.
    try second.client.pull()
    #expect(try second.persons() == ["1 Ada: Turin 3 at 1.0"])
    #expect(try story.persons() == ["1 Ada: Turin 3 at 1.0"])
    #expect(try story.rows() == ["Ada t Turin 3 t 1"])
  }

  @Test func anEditThatWaitsStaysWhenAnotherNewObjectArrives() throws {
    let (story, first, second) = try story()
    try second.setAddress(1, "Rome", number: 1)
    try first.setAddress(1, "Oslo", number: 2)
    try second.setCity(1, "Bonn")
    try first.client.push()
    try second.client.pull()
    #expect(try second.persons() == ["1 Ada: Bonn 2"])
    #expect(try story.persons() == ["1 Ada: Bonn 2"])
  }

  @Test func whatTheServerRefusesIsReplacedByItsOwn() throws {
    let (story, first, _) = try story()
    try story.outsider.run("alter table app.\"Person\" add check (address_number < 100)")
    try first.setNumber(1, 500)
    #expect(try story.persons() == ["1 Ada: Turin 3"])
    try first.setAddress(1, "Rome", number: 500)
    #expect(try story.persons() == ["1 Ada: Turin 3"])
  }

  @Test func readingEverythingAgainChangesNothing() throws {
    let (story, first, second) = try story(latitude: 1)
    try second.setAddress(1, nil)
    try first.create(2, "Eve")
    try story.exchange()
    for file in story.files {
      file.client.requestFullPull()
      #expect(try !file.client.pull())
      #expect(try !file.client.push())
    }
  }
}
