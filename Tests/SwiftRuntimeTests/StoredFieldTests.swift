import Foundation
import Testing

@testable import SwiftRuntime

/// The stored properties of objects, in both ways. `FallbackTests` runs the slow one as a whole.
@Suite struct StoredFieldTests {
  private struct Marked<Value> {
    var mark: Int32 = -1
    var flag: UInt8 = 0
    var value: Value?
  }

  private class Box: NSObject {
    var number = -1
    var list = [-1]
    var first = Marked<String>()
    weak var other: Box?
    var anything: Any = "text"
    var second = Marked<Int>(value: -1)
  }

  private final class LargeBox: Box {
    var third = Marked<[Int]>(flag: 7, value: [1, 2])
  }

  private static func mark(_ value: Any) -> Int32 {
    switch value {
    case let value as Marked<String>: value.mark
    case let value as Marked<Int>: value.mark
    case let value as Marked<[Int]>: value.mark
    default: fatalError()
    }
  }

  @Test func bothWaysFindTheSame() {
    let box = LargeBox()
    let fast = StoredField.reflected(LargeBox.self)
    let slow = StoredField.mirrored(box)
    #expect(fast.map(\.name) == ["number", "list", "first", "other", "anything", "second", "third"])
    #expect(slow.map(\.name) == fast.map(\.name))
    for index in [2, 5, 6] {
      #expect(ObjectIdentifier(fast[index].type) == ObjectIdentifier(slow[index].type))
      let offset = fast[index].offset(in: box, mark: Self.mark)
      #expect(slow[index].offset(in: box, mark: Self.mark) == offset)
      // Nothing is left changed.
      #expect(Self.mark(slow[index].value(in: box)) == -1)
    }
    #expect((fast[6].value(in: box) as? Marked<[Int]>)?.value == [1, 2])
    #expect((slow[6].value(in: box) as? Marked<[Int]>)?.flag == 7)
    #expect(box.number == -1 && box.list == [-1] && box.second.value == -1 && box.third.value == [1, 2])
  }
}
