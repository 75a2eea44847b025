import RealmSwift
import Testing

@testable import RealmTool

struct StudioFaultTests {
  /// The client learns whether its request or the file is wrong.
  @Test func errorsHaveTheirStatus() {
    #expect(StudioFault(UsageError("Wrong.")).status == 422)
    #expect(StudioFault(ToolError("Full.")).status == 500)
    #expect(StudioFault(CancellationError()).status == 408)
    #expect(StudioFault(Realm.Error(.fail)).status == 500)
    let value = StudioFault(ValueFault("It is wrong"), details: "\"property\":1")
    #expect(value.status == 422 && value.message == "It is wrong." && value.details == "\"property\":1")
    #expect(StudioFault(ValueFault("Is it wrong?")).message == "Is it wrong?")
    // A fault stays what it is.
    let fault = StudioFault(StudioFault(409, "Changed.", details: "\"a\":1"), details: "\"b\":2")
    #expect(fault.status == 409 && fault.details == "\"a\":1")
  }

  @Test func hashesHaveSixteenDigits() {
    #expect(ContentHash.text(0xAB) == "00000000000000ab")
    #expect(ContentHash.text(of: "ab".utf8) == ContentHash.text(of: [97, 98]))
    #expect(ContentHash.text(of: "ab".utf8) != ContentHash.text(of: "ba".utf8))
  }

  @Test func pathsAreArraysOfPositionsAndKeys() {
    #expect(NestedStep.steps(.array([.int(1), .string("a")]))?.count == 2)
    #expect(NestedStep.steps(.array([.bool(true)])) == nil)
    #expect(NestedStep.steps(.string("a")) == nil)
  }
}
