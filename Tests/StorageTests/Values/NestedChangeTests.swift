import TestSupport
import Testing

@testable import Storage

/// Changes of lists and dictionaries inside the bytes of a mixed value.
@Suite struct NestedChangeTests {
  private final class Identities {
    private var last = NestedHeader.firstIdentity
    func next() -> UInt64? {
      last += 1
      return last
    }
  }

  private func bytes(_ value: Value, _ identities: Identities? = nil) -> [UInt8] {
    value.mixedBytes { identities?.next() }
  }

  private let value = Value.list([
    .list([.int(1)]),
    .dictionary([.init(key: "a", value: .list([.int(2)])), .init(key: "b", value: .string("x"))]),
    .list([.int(3)]),
  ])

  /// Changes the value at the end of a path of positions.
  private func changed(
    _ bytes: [UInt8], _ path: [Int], _ change: NestedChange, _ identities: Identities
  ) throws -> [UInt8] {
    try bytes.withUnsafeBytes { bytes in
      let whole = MixedView(bytes)
      var views = [whole]
      for position in path { views.append(try #require(views.last!.element(at: position))) }
      return try #require(
        whole.bytes(changing: views.map { $0.range(in: whole)! }, change) { identities.next() })
    }
  }

  private func identities(_ bytes: [UInt8]) -> [UInt64?] {
    bytes.withUnsafeBytes { MixedView($0).identities }
  }
  private func decoded(_ bytes: [UInt8]) -> Value { bytes.withUnsafeBytes { Value(mixed: $0) } }

  @Test func identitiesAreNoPartOfTheValue() {
    let source = Identities()
    let (first, second) = (bytes(value, source), bytes(value, source))
    #expect(first != second && decoded(first) == value && decoded(second) == value)
    #expect(Set(identities(first) + identities(second)).count == 10)
    #expect(IndexKey(decoded(first)) == IndexKey(decoded(second)))
    #expect(MixedCheck { _, _ in true }.isSound(first))
    #expect(!MixedCheck { _, _ in true }.isSound(Array(first.dropLast())))
    #expect(identities(bytes(value)) == [nil, nil, nil, nil, nil])
  }

  @Test func allButTheChangedElementsKeepTheirIdentities() throws {
    let source = Identities()
    let stored = bytes(value, source)
    let known = identities(stored).map { $0! }
    let deep = try changed(stored, [1, 0], .insert([.int(9), .list([])], at: 0), source)
    #expect(
      decoded(deep)
        == .list([
          .list([.int(1)]),
          .dictionary([
            .init(key: "a", value: .list([.int(9), .list([]), .int(2)])),
            .init(key: "b", value: .string("x")),
          ]),
          .list([.int(3)]),
        ]))
    #expect(identities(deep).filter { known.contains($0!) } == known)
    #expect(identities(deep).count == 6)
    let moved = try changed(deep, [], .move(from: 2, to: 0), source)
    #expect(identities(moved)[1] == known[4] && identities(moved)[2] == known[1])
    let removed = try changed(moved, [], .remove(0..<2), source)
    #expect(identities(removed).prefix(3) == [known[0], known[2], known[3]])
    let entry = try changed(removed, [0], .insertEntry(key: "aa", .list([]), at: 1), source)
    #expect(
      decoded(entry)
        == .list([
          .dictionary([
            .init(key: "a", value: .list([.int(9), .list([]), .int(2)])), .init(key: "aa", value: .list([])),
            .init(key: "b", value: .string("x")),
          ])
        ]))
    #expect(MixedCheck { _, _ in true }.isSound(entry))
  }

  @Test func positionsBecomeIdentitiesBeforeAnythingMoves() throws {
    let source = Identities()
    let stored = bytes(value)
    let found = try stored.withUnsafeBytes { try #require(MixedView($0).position(ofElement: 2)).position }
    #expect(found == 2)
    let removed = try changed(stored, [], .remove(0..<1), source)
    #expect(identities(removed) == [nil, 1, nil, 2])
    let again = try changed(removed, [], .insert([.list([])], at: 0), source)
    #expect(identities(again).dropFirst(2) == [1, nil, 2])
    #expect(identities(again)[1]! > NestedHeader.firstIdentity)
    again.withUnsafeBytes { bytes in
      #expect(MixedView(bytes).position(ofElement: 0) == nil)
      #expect(MixedView(bytes).position(ofElement: 2)?.position == 2)
    }
  }

  @Test func damagedCollectionsAreNotChanged() {
    let stored = bytes(value, Identities())
    let damaged = Array(stored.dropLast(3))
    damaged.withUnsafeBytes { bytes in
      let view = MixedView(bytes)
      #expect(view.bytes(changing: [0..<damaged.count], .remove(0..<1)) { nil } == nil)
    }
  }
}

extension MixedCheck {
  fileprivate func isSound(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { isSound($0) } }
}
