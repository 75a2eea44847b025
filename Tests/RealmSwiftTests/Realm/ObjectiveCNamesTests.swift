import TestSupport
import Testing

@testable import RealmSwift

@Suite struct ObjectiveCNamesTests {
  @Test func swiftNamesStandBesideThem() {
    #expect(
      ObjectiveCNames.explained(ProgrammerError.modifyingOutsideWrite.message)
        == "Attempting to modify object outside of a write transaction - call beginWriteTransaction on an RLMRealm "
        + "instance first. (In Swift, beginWriteTransaction is realm.write { … } or realm.beginWrite(), "
        + "RLMRealm is Realm.)")
  }

  @Test func eachIsExplainedOnce() {
    #expect(
      ObjectiveCNames.explained("RLMArray<int> is no RLMArray<string>")
        == "RLMArray<int> is no RLMArray<string> (In Swift, RLMArray is List.)")
  }

  @Test func otherMessagesStayAsTheyAre() {
    #expect(ObjectiveCNames.explained("Object has been deleted.") == "Object has been deleted.")
    #expect(ObjectiveCNames.explained("MyRLMArrays") == "MyRLMArrays")
  }

  @Test func theyAreSaidWhenAProgramStops() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List<Int>().filter("self > 1")
    }
    expectStop(
      result, saying: "This method may only be called on RLMArray", "RLMArray is List, RLMRealm is Realm")
  }
}
