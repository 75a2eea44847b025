import TestSupport
import Testing

@testable import Storage
@testable import Sync

/// Lists in memory: random edits of several clients, against a server that merges registers and a simple model.
@Suite struct SyncedListTests {
  /// A client with the list that its program sees.
  struct Client {
    let number: Int64
    var list = SyncedList()
    var values: [Int] = []
    var edit = SyncedList.Edit()
    var (counter, version, acknowledged) = (Int64(0), UInt64(0), UInt64(0))

    init(_ number: Int64) { self.number = number }

    mutating func compose() {
      version += 1
      list.compose(
        edit, values.map { ListValue(.int(Int64($0)), isKey: false) }, version: version, client: number,
        counter: &counter)
      edit = .init()
    }
  }

  /// Registers of elements, as the server merges them.
  struct Server {
    struct Element {
      var key: PositionKey
      var value: Int
      var positionStamp: Stamp
      var valueStamp: Stamp
    }

    var elements: [Int64: Element] = [:]
    var gone: Set<Int64> = []

    mutating func take(_ client: inout Client) {
      let all = Dictionary(uniqueKeysWithValues: client.list.elements.map { ($0.number, $0) })
      for (number, operation) in client.list.operations where operation.version > client.acknowledged {
        if operation.kind == .removal {
          elements[number] = nil
          gone.insert(number)
          continue
        }
        guard let element = all[number], !gone.contains(number) else { continue }
        guard case .int(let value) = element.value.key else { continue }
        if elements[number] == nil && operation.kind(after: client.acknowledged) == .insertion {
          elements[number] = Element(
            key: element.key, value: Int(value), positionStamp: operation.positionStamp!,
            valueStamp: operation.valueStamp!)
        }
        guard var merged = elements[number] else { continue }
        if let stamp = operation.positionStamp, stamp > merged.positionStamp {
          (merged.key, merged.positionStamp) = (element.key, stamp)
        }
        if let stamp = operation.valueStamp, stamp > merged.valueStamp {
          (merged.value, merged.valueStamp) = (Int(value), stamp)
        }
        elements[number] = merged
      }
      client.acknowledged = client.version
    }

    func give(_ client: inout Client, isWhole: Bool) {
      let pulled = elements.map { number, element in
        PulledListElement(
          owner: .int(1), creation: .never, number: number, key: element.key,
          value: .int(Int64(element.value)), positionStamp: element.positionStamp,
          valueStamp: element.valueStamp)
      }
      let removed = gone.map { RemovedListElement(owner: .int(1), number: $0, died: Stamp(rawValue: 1)) }
      let shown = client.list.elements.filter(\.isVisible).map(\.number)
      client.list.merge(
        pulled, removed: isWhole ? [] : removed, isWhole: isWhole, acknowledged: client.acknowledged,
        isKey: false)
      for index in client.list.elements.indices { client.list.elements[index].isVisible = true }
      let rewriting = ListRewriting(shown, client.list.elements.map(\.number))
      for range in rewriting.removed.ranges.reversed() { client.values.removeSubrange(range) }
      for position in rewriting.inserted.members { client.values.insert(-1, at: position) }
      #expect(client.values.count == client.list.elements.count)
      for (index, element) in client.list.elements.enumerated() {
        guard case .int(let value) = element.value.key else { continue }
        client.values[index] = Int(value)
      }
    }

    var values: [Int] {
      elements.sorted { ListPlace($0.value.key, $0.key) < ListPlace($1.value.key, $1.key) }.map(\.value.value)
    }
  }

  /// What a transaction has done to values.
  private struct Done {
    var inserted: Set<Int> = []
    /// Values that elements got in the place of others.
    var written: Set<Int> = []
    var removed: Set<Int> = []
  }

  /// One transaction of a program.
  private func transaction(
    _ client: inout Client, _ random: inout SeededGenerator, stamp: Stamp, next: inout Int
  ) -> Done {
    func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    let before = Set(client.values)
    var done = Done()
    var change = SyncListChange()
    for _ in 0..<1 + below(4) {
      let count = client.values.count
      switch below(8) {
      case 0...2:
        let (position, size) = (below(count + 1), 1 + below(3))
        client.values.insert(contentsOf: (0..<size).map { next + $0 }, at: position)
        change.positions.insert(at: position, count: size)
        next += size
      case 3 where count > 0:
        let first = below(count)
        let range = first..<min(count, first + 1 + below(2))
        client.values.removeSubrange(range)
        change.positions.remove(range)
      case 4 where count > 0:
        let position = below(count)
        client.values[position] = next
        done.written.insert(next)
        next += 1
        change.positions.modify(position)
      case 5 where count > 1:
        let (source, target) = (below(count), below(count))
        client.values.insert(client.values.remove(at: source), at: target)
        change.positions.remove(source..<source + 1)
        change.positions.insert(at: target, count: 1)
      case 6 where below(4) == 0:
        // The whole list is assigned again.
        client.values.shuffle(using: &random)
        change.positions.remove(0..<count)
        change.positions.insert(at: 0, count: count)
      default: break
      }
    }
    client.edit.add(change, stamp)
    done.inserted = Set(client.values).subtracting(before).subtracting(done.written)
    done.removed = before.subtracting(client.values)
    return done
  }

  @Test(arguments: TestLength.seeds([1, 2, 3, 4, 5, 6, 7, 8], short: 4))
  func whatWasInsertedAndNeverRemovedIsThereOnce(seed: UInt64) {
    var random = SeededGenerator(printing: seed)
    var clients = [Client(1), Client(2), Client(3)]
    var server = Server()
    var (clock, next) = (Int64(1), 1)
    var all = Done()
    for step in 0..<TestLength.count(250, long: 3_000) {
      let index = Int.random(in: 0..<clients.count, using: &random)
      clock += 1
      switch Int.random(in: 0..<6, using: &random) {
      case 0...2:
        let done = transaction(&clients[index], &random, stamp: Stamp(rawValue: clock << 16), next: &next)
        all.inserted.formUnion(done.inserted)
        all.written.formUnion(done.written)
        all.removed.formUnion(done.removed)
      case 3, 4:
        clients[index].compose()
        check(clients[index])
        server.take(&clients[index])
      default:
        clients[index].compose()
        server.give(&clients[index], isWhole: Bool.random(using: &random))
        check(clients[index])
      }
      if step % 50 != 49 { continue }
      for index in clients.indices {
        clients[index].compose()
        server.take(&clients[index])
      }
      for index in clients.indices {
        server.give(&clients[index], isWhole: index == 0)
        #expect(clients[index].values == server.values)
      }
      let values = server.values
      #expect(Set(values).count == values.count)
      #expect(all.inserted.subtracting(all.removed).isSubset(of: values))
      #expect(Set(values).isDisjoint(with: all.removed))
      #expect(Set(values).isSubset(of: all.inserted.union(all.written)))
    }
    #expect(server.values.count > 3 && all.removed.count > 20)
  }

  private func check(_ client: Client) {
    let visible = client.list.elements.filter(\.isVisible)
    #expect(visible.map(\.value) == client.values.map { ListValue(.int(Int64($0)), isKey: false) })
    let places = client.list.elements.map(\.place)
    #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 })
    #expect(places.allSatisfy { $0.key.bytes.count <= PositionKey.longest })
  }

  @Test func aListThatIsAssignedAgainSendsOnlyWhatChangedItsPlace() {
    var client = Client(1)
    client.values = Array(0..<100)
    client.edit.isNew = true
    client.compose()
    client.acknowledged = client.version
    func operations() -> [SyncedList.Operation] {
      client.list.operations.values.filter { $0.version > client.acknowledged }
    }
    var change = SyncListChange()
    change.positions.remove(0..<100)
    change.positions.insert(at: 0, count: 100)
    client.edit.add(change, Stamp(rawValue: 5))
    client.compose()
    #expect(operations().isEmpty)
    client.values.swapAt(20, 80)
    client.edit.add(change, Stamp(rawValue: 6))
    client.compose()
    let stamp = Stamp(rawValue: 6)
    #expect(operations().count == 2)
    #expect(operations().allSatisfy { $0.positionStamp == stamp && $0.valueStamp != stamp })
  }

  /// Elements whose targets are deleted keep their place, unseen, and are not removed on the server.
  @Test func severedElementsKeepTheirPlace() {
    var client = Client(1)
    client.values = Array(0..<6)
    client.edit.isNew = true
    client.compose()
    let before = client.list.elements
    client.acknowledged = client.version
    // The second one was written before, the third one is severed alone, and one is inserted between.
    var change = SyncListChange()
    change.positions.modify(1)
    client.edit.add(change, Stamp(rawValue: 5))
    change = SyncListChange()
    change.positions.remove(1..<3)
    change.severedDeletions = IndexRanges(1..<3)
    change.positions.insert(at: 1, count: 1)
    client.values = [0, 9, 3, 4, 5]
    client.edit.add(change, Stamp(rawValue: 6))
    client.compose()
    #expect(client.list.elements.filter { !$0.isVisible }.map(\.number) == [before[2].number])
    #expect(
      client.list.operations.filter { $0.value.version > client.acknowledged }.mapValues(\.kind) == [
        before[1].number: .removal, 1 << 40 | 7: .insertion,
      ])
    check(client)
    // Its place is still the one between the same elements.
    let numbers = client.list.elements.map(\.number)
    #expect(numbers.firstIndex(of: before[2].number)! < numbers.firstIndex(of: before[3].number)!)
  }

  /// Long values are told apart by the hash of the audit, with two seeds, and by their sizes.
  @Test(arguments: [25, 26, 300, 100_000]) func longValuesAreKeptAsHashes(count: Int) {
    let value = Value.string(String(repeating: "x", count: count - 1) + "y")
    let bytes = value.mixedBytes
    let words =
      [UInt64(1), 2].map { seed in bytes.withUnsafeBytes { RowHash.hash($0, seed: seed) } }
      + [UInt64(bytes.count)]
    var expected: [UInt8] = [bytes[0], 0xFF]
    for word in words { withUnsafeBytes(of: word.littleEndian) { expected += $0 } }
    #expect(ListValue(value, isKey: false).bytes == expected)
    #expect(ListValue(value, isKey: true).bytes == bytes)
    let other = Value.string(String(repeating: "x", count: count))
    #expect(ListValue(other, isKey: false) != ListValue(value, isKey: false))
  }

  @Test func theStateIsReadAsItWasWritten() {
    var client = Client(3)
    client.values = Array(0..<40)
    client.edit.isNew = true
    client.compose()
    client.list.elements[4].isVisible = false
    client.list.elements[5].value = ListValue(.string(String(repeating: "long", count: 30)), isKey: false)
    #expect(client.list.elements[5].value.bytes.count == 26)
    // The server has all elements before one is written, another one removed.
    client.acknowledged = client.version
    var change = SyncListChange()
    change.positions.modify(0)
    change.positions.remove(1..<2)
    client.values = [100] + client.values[2...]
    client.values.remove(at: 3)
    client.edit.add(change, Stamp(rawValue: 9))
    client.compose()
    #expect(client.list.operations[3 << 40 | 1]?.kind == .insertion)
    #expect(client.list.operations[3 << 40 | 1]?.kind(after: client.acknowledged) == .update)
    let (elements, operations) = (client.list.encodedElements, client.list.encodedOperations)
    #expect(SyncedList(elements: elements, operations: operations) == client.list)
    for count in stride(from: 0, to: elements.count, by: 7) {
      #expect(SyncedList(elements: Array(elements.prefix(count)), operations: nil) == nil)
    }
    #expect(SyncedList(elements: elements, operations: Array(operations.dropLast())) == nil)
  }
}
