import Foundation
import TestSupport
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

  /// Objects that hold nothing but words equal to the mark, side by side in memory.
  private final class Marks {
    var first = Marked<Int>(value: -1)
    var second = Marked<Int>(value: -1)
  }

  @Test func theSlowSearchChangesNothing() {
    let objects = (0..<64).map { _ in Marks() }
    for object in objects {
      let fields = StoredField.mirrored(object)
      let known = StoredField.reflected(Marks.self)
      #expect(fields.map { $0.offset(in: object, mark: Self.mark) } == known.map { $0.offset })
      for object in objects {
        #expect(object.first.mark == -1 && object.first.value == -1)
        #expect(object.second.mark == -1 && object.second.value == -1)
      }
    }
  }

  @Test func theSlowSearchStaysWithinTheObject() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      // The neighbours in memory are full of words equal to the mark.
      let objects = (0..<64).map { _ in Marks() }
      var changes = 0
      // A mark that never changes, whatever is written to the object, but tells when a neighbour was changed.
      let mark: (Any) -> Int32 = { _ in
        changes += objects.dropFirst().contains { $0.first.mark != -1 || $0.second.mark != -1 } ? 1 : 0
        if changes > 0 { fatalError("Another object was changed.") }
        return -1
      }
      _ = StoredField.mirrored(objects[0])[0].offset(in: objects[0], mark: mark)
    }
    expectStop(result, saying: "The property 'first' of 'Marks' was not found in the object's memory")
  }
}
