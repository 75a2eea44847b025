import Foundation
import Testing

@testable import SwiftRuntime

/// The classes of the program, as records of types tell them and as symbols do.
@Suite struct ProgramClassesTests {
  class Tree: NSObject {}
  private final class Oak: Tree {}
  final class Graft<Kind>: Tree {}

  private static func trees(_ classes: [Any.Type]?) -> [String]? {
    classes?.compactMap { $0 as? Tree.Type }.map { String(describing: $0) }.sorted()
  }

  @Test func bothWaysFindTheSame() {
    final class Local: Tree {}
    let planted: [Tree.Type] = [Tree.self, Oak.self, Local.self]
    #expect(planted.count == 3)
    let images = LoadedImage.ofProgram()
    #expect(Self.trees(TypeRecords.classes(in: images)) == ["Local", "Oak", "Tree"])
    #expect(Self.trees(ClassSymbols.classes(in: images)) == ["Local", "Oak", "Tree"])
    #expect(Self.trees(ProgramClasses.all()) == ["Local", "Oak", "Tree"])
  }
}
