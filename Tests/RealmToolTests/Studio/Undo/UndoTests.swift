import Foundation
import RealmSwift
import TestSupport
import Testing

@testable import RealmTool

/// What the page has changed can be undone, as long as nothing else has changed it since.
struct UndoTests {
  private let studio: WritableStudio

  init() throws { studio = try WritableStudio() }

  private func set(_ className: String, _ row: Int, _ property: Int, _ value: String) -> String {
    "{\"op\":\"set\",\"class\":\"\(className)\",\"row\":\(row),\"property\":\(property),\"value\":\(value)}"
  }

  private func delete(_ className: String, _ row: Int) -> String {
    "{\"op\":\"delete\",\"class\":\"\(className)\",\"row\":\(row)}"
  }

  private func person(_ row: Int) -> String { "{\"class\":\"Person\",\"row\":\(row)}" }

  @Test func aDeletedObjectComesBackWithEverythingThatHungOnIt() async throws {
    let people = try await studio.makePeople(3)
    let (everything, other) = (try await studio.makeEverything("a"), try await studio.makeEverything("b"))
    let numbers = try await studio.properties()
    let address = try await studio.properties(of: "Address")
    let make = """
      {"op":"embed","class":"Everything","row":\(everything),"property":\(numbers["address"]!),\
      "values":[[\(address["street"]!),"Main"],[\(address["tenant"]!),\(person(people[0]))]]},
      {"op":"embed","class":"Address","row":-1,"property":\(address["inner"]!)},
      {"op":"embed","class":"Everything","row":\(everything),"property":\(numbers["addresses"]!)},
      {"op":"embed","class":"Everything","row":\(everything),"property":\(numbers["places"]!),"key":"k"},
      {"op":"insert","class":"Everything","row":\(everything),"property":\(numbers["intList"]!),"at":0,"value":7},
      {"op":"add","class":"Everything","row":\(everything),"property":\(numbers["stringSet"]!),"value":"s"},
      {"op":"put","class":"Everything","row":\(everything),"property":\(numbers["anyMap"]!),"key":"k",\
      "value":{"type":"list","value":[1,{"type":"object","value":\(person(people[1]))}]}}
      """
    #expect(try await studio.batch(make).status == 200)
    // Links to the object and to the people from elsewhere.
    let links = """
      \(set("Everything", other, numbers["any"]!, "{\"type\":\"list\",\"value\":[1,{\"class\":\"Everything\",\"row\":\(everything)}]}")),
      \(set("Everything", other, numbers["person"]!, person(people[0]))),
      {"op":"insert","class":"Everything","row":\(other),"property":\(numbers["people"]!),"at":0,"value":\(person(people[0]))},
      {"op":"insert","class":"Everything","row":\(other),"property":\(numbers["people"]!),"at":1,"value":\(person(people[1]))},
      {"op":"add","class":"Everything","row":\(other),"property":\(numbers["group"]!),"value":\(person(people[0]))},
      {"op":"put","class":"Everything","row":\(other),"property":\(numbers["roles"]!),"key":"r","value":\(person(people[0]))}
      """
    let linked = try await studio.batch(links)
    #expect(linked.status == 200, "\(linked.text)")
    let before = try await studio.content()
    let deletion = try await studio.batch(
      delete("Everything", everything) + "," + delete("Person", people[0]))
    #expect(deletion.status == 200, "\(deletion.text)")
    #expect(try await studio.count("Address") == 0)
    let after = try await studio.content()
    #expect(after != before)
    for _ in 0..<3 {
      let undone = try await studio.undo()
      #expect(undone.status == 200, "\(undone.text)")
      // The rows are new ones, which the answer names.
      #expect(undone.row() >= 0 && undone.row() != everything)
      #expect(try await studio.content() == before)
      #expect(try await studio.redo().status == 200)
      #expect(try await studio.content() == after)
    }
    #expect(try await studio.undo().status == 200)
    // Earlier steps follow the objects to their new rows.
    while try await studio.undo().status == 200 {}
    #expect(try await studio.content() == "")
    while try await studio.redo().status == 200 {}
    #expect(try await studio.content() == after)
    #expect(try studio.faults() == "")
  }

  @Test func whatADeletionRuleHasDeletedComesBack() async throws {
    let people = try await studio.makePeople(4)
    let team = try await studio.properties(of: "Team")
    let made = try await studio.batch(
      """
      {"op":"create","class":"Team","values":[[\(team["id"]!),1],[\(team["members"]!),[\(person(people[0])),\(person(people[1]))]],\
      [\(team["reserve"]!),\(person(people[2]))]]},
      {"op":"create","class":"Team","values":[[\(team["id"]!),2],[\(team["captain"]!),\(person(people[3]))]]}
      """)
    #expect(made.status == 200, "\(made.text)")
    let before = try await studio.content()
    let preview = try await studio.send(.get, "object/Team/\(made.row())/deletion")
    #expect(preview.text == "{\"links\":0,\"owned\":[[\"Person\",3]],\"denied\":null}")
    #expect(try await studio.batch(delete("Team", made.row())).status == 200)
    #expect(try await studio.count("Person") == 1)
    #expect(try await studio.undo().status == 200)
    #expect(try await studio.content() == before)
    let denied = try await studio.batch(delete("Person", people[3]))
    #expect(denied.status == 422 && denied.message.contains("which denies that"), "\(denied.text)")
    let deniedPreview = try await studio.send(.get, "object/Person/\(people[3])/deletion")
    #expect(deniedPreview.json["denied"] as? String == denied.message, "\(deniedPreview.text)")
    #expect(try await studio.content() == before)
  }

  /// Undoing the creation of an owner does not delete what existed before.
  @Test func undoneOwnersLeaveWhatTheyOwn() async throws {
    let people = try await studio.makePeople(1)
    let before = try await studio.content()
    let team = try await studio.properties(of: "Team")
    try await studio.batch(
      """
      {"op":"create","class":"Team","values":[[\(team["id"]!),1],[\(team["members"]!),[\(person(people[0]))]],\
      [\(team["captain"]!),\(person(people[0]))]]}
      """)
    #expect(try await studio.undo().status == 200)
    #expect(try await studio.content() == before)
  }

  /// Embedded objects that have moved within their list are still there when the move is undone.
  @Test func embeddedObjectsMoveBack() async throws {
    let row = try await studio.makeEverything()
    let list = try await studio.property("addresses")
    let street = try await studio.property("street", of: "Address")
    let embed = (0..<4).map {
      """
      {"op":"embed","class":"Everything","row":\(row),"property":\(list),"values":[[\(street),"S\($0)"]]}
      """
    }
    try await studio.batch(embed.joined(separator: ","))
    let before = try await studio.content()
    let move = """
      {"op":"move","class":"Everything","row":\(row),"property":\(list),"from":3,"to":0},
      {"op":"remove","class":"Everything","row":\(row),"property":\(list),"at":1},
      {"op":"move","class":"Everything","row":\(row),"property":\(list),"from":0,"to":2}
      """
    #expect(try await studio.batch(move).status == 200)
    let after = try await studio.content()
    #expect(try await studio.undo().status == 200)
    #expect(try await studio.content() == before)
    #expect(try await studio.redo().status == 200)
    #expect(try await studio.content() == after)
    #expect(try await studio.count("Address") == 3)
  }

  @Test func whatHasChangedSinceIsNotUndone() async throws {
    let row = try await studio.makePeople(1)[0]
    let name = try await studio.property("name", of: "Person")
    #expect(try await studio.batch(set("Person", row, name, "\"mine\"")).status == 200)
    // Another process.
    #expect(try RealmProgram.run("set", studio.path, "Person", "1", "name=theirs").status == 0)
    let undone = try await studio.undo()
    #expect(undone.status == 409 && undone.message == "'Person.name' has changed since.", "\(undone.text)")
    #expect(undone.conflicts.first?["current"] as? String == "theirs")
    #expect(undone.conflicts.first?["expected"] as? String == "mine")
    #expect(try await studio.value(row, "name", of: "Person") == "\"theirs\"")
    // The step stays, and is undone when the value is as before.
    #expect(try RealmProgram.run("set", studio.path, "Person", "1", "name=mine").status == 0)
    #expect(try await studio.undo().status == 200)
    #expect(try await studio.value(row, "name", of: "Person") == "\"P1\"")
  }

  @Test func aKeyThatExistsAgainIsNotRestored() async throws {
    let row = try await studio.makePeople(1)[0]
    try await studio.batch(delete("Person", row))
    #expect(try RealmProgram.run("create", studio.path, "Person", "id=1", "name=other").status == 0)
    let undone = try await studio.undo()
    #expect(undone.status == 409 && undone.message.contains("The Person 1 exists again"), "\(undone.text)")
    #expect(try await studio.count("Person") == 1)
  }

  @Test func aNewObjectThatOthersLinkToIsNotDeleted() async throws {
    let first = try await studio.makePeople(1)[0]
    let numbers = try await studio.properties(of: "Person")
    let second = try await studio.batch(
      "{\"op\":\"create\",\"class\":\"Person\",\"values\":[[\(numbers["id"]!),2],[\(numbers["name"]!),\"x\"]]}"
    )
    #expect(try RealmProgram.run("set", studio.path, "Person", "1", "friend:=2").status == 0)
    let undone = try await studio.undo()
    #expect(undone.status == 409 && undone.message == "'Person.friend' has changed since.", "\(undone.text)")
    #expect(try await studio.value(first, "friend", of: "Person") == "2")
    #expect(second.row() >= 0)
  }

  @Test func aNewBatchEndsWhatCanBeDoneAgain() async throws {
    let row = try await studio.makePeople(1)[0]
    let name = try await studio.property("name", of: "Person")
    let first = try await studio.batch(set("Person", row, name, "\"a\""), label: "First")
    #expect(first.json["undo"] as? Int == 2)
    let undone = try await studio.undo()
    #expect(undone.json["label"] as? String == "First")
    #expect(undone.json["undo"] as? Int == 1 && undone.json["redo"] as? Int == 1)
    try await studio.batch(set("Person", row, name, "\"b\""))
    let redone = try await studio.redo()
    #expect(redone.status == 409 && redone.message == "There is nothing to do again.")
  }

  @Test func onlyTheLastStepsAreKept() async throws {
    let studio = try WritableStudio(history: UndoHistory(stepLimit: 3))
    let row = try await studio.makePeople(1)[0]
    let name = try await studio.property("name", of: "Person")
    for number in 0..<5 {
      let answer = try await studio.batch(set("Person", row, name, "\"n\(number)\""))
      #expect(answer.json["undo"] as? Int == min(number + 2, 3))
    }
    for _ in 0..<3 { #expect(try await studio.undo().status == 200) }
    #expect(try await studio.undo().message == "There is nothing to undo.")
    #expect(try await studio.value(row, "name", of: "Person") == "\"n1\"")
  }

  @Test func stepsBeyondTheSizeLimitAreForgotten() async throws {
    let studio = try WritableStudio(history: UndoHistory(sizeLimit: 20_000))
    let row = try await studio.makePeople(1)[0]
    let name = try await studio.property("name", of: "Person")
    let text = String(repeating: "x", count: 6_000)
    var counts: [Int] = []
    for number in 0..<3 {
      counts.append(
        try await studio.batch(set("Person", row, name, "\"\(text)\(number)\"")).json["undo"] as? Int ?? -1)
    }
    // Each of the later steps has two texts, two of which are too much.
    #expect(counts == [2, 2, 1])
    // One that is too large by itself is written, and cannot be undone, nor what was before.
    let large = String(repeating: "y", count: 30_000)
    let answer = try await studio.batch(set("Person", row, name, "\"\(large)\""))
    #expect(answer.status == 200 && answer.json["undo"] as? Int == 0, "\(answer.text)")
  }
}
