import Foundation
import Testing

@testable import SwiftRuntime

@Suite struct FieldRecordTests {
  private class Box {
    var number = 1
    weak var other: Box?
    var text: String? = ""
    lazy var late = 3
  }

  private final class LargeBox: Box {
    var pair = (1, "")
    var box = Box()
    var bytes = Data()
  }

  @Test func namesAreThoseOfTheRuntime() {
    #expect(FieldRecord.isKnown)
    #expect(
      FieldRecord.all(of: LargeBox.self).map(\.name) == StoredField.mirrored(LargeBox()).map(\.name))
  }

  /// What is left of a name after some texts, of which each stands there.
  private func rest(_ name: MangledTypeName, behind texts: StaticString...) -> MangledTypeName? {
    var name = name
    for text in texts where !name.take(text) { return nil }
    return name
  }

  private func descriptor(_ name: MangledTypeName) -> (UnsafeRawPointer?, rest: MangledTypeName) {
    var name = name
    return (name.takeDescriptor(), name)
  }

  @Test func typesAreRead() throws {
    let types = FieldRecord.all(of: LargeBox.self).map(\.type)
    try #require(types.count == 7)
    // A text is only passed over as a whole.
    #expect(rest(types[0], behind: "SS") == nil && rest(types[0], behind: "Sig") == nil)
    #expect(types[0].isText && !types[0].isAtEnd && descriptor(types[0]).0 == nil)
    #expect(rest(types[0], behind: "Si")?.isAtEnd == true)
    #expect(rest(types[2], behind: "SS", "Sg")?.isAtEnd == true)
    let box = descriptor(types[5])
    #expect(box.rest.isAtEnd && !types[5].isText)
    #expect(try TypeDescriptor.plainClass(#require(box.0)) == Box.self)
    let bytes = try #require(descriptor(types[6]).0)
    #expect(bytes == TypeDescriptor.address(of: Data.self) && TypeDescriptor.plainClass(bytes) == nil)
  }

  @Test func descriptorsAreThoseOfGenericTypes() {
    #expect(TypeDescriptor.address(of: Range<Int>.self) == TypeDescriptor.address(of: Range<String>.self))
    #expect(TypeDescriptor.address(of: Range<Int>.self) != TypeDescriptor.address(of: ClosedRange<Int>.self))
    // Neither a class nor a struct.
    #expect(TypeDescriptor.address(of: Bool?.self) == nil)
    #expect(TypeDescriptor.address(of: (Int, Int).self) == nil)
  }

  /// Its descriptor is in another library.
  @Test func inheritedOnes() {
    class Operation: Foundation.Operation, @unchecked Sendable { var mine = 0 }
    #expect(FieldRecord.all(of: Operation.self).last?.name == "mine")
  }
}
