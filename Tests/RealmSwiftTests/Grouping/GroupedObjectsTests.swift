import Foundation
import RealmSwift
import TestSupport
import Testing

class GroupedSale: Object {
  enum Way: String, PersistableEnum { case shop, mail }

  @Persisted var product: String
  @Persisted var way = Way.shop
  @Persisted var amount: Int
  @Persisted var price: Double
  @Persisted var weight: Float?
  @Persisted var tax: Decimal128
  @Persisted var rest: AnyRealmValue
  @Persisted var day: Date
  @Persisted var returned: Date?
  @Persisted var buyer: GroupedBuyer?
  @Persisted var tags: List<String>
  @Persisted var receipt: Data?
}

class GroupedBuyer: Object {
  @Persisted var city: String?
  @Persisted var sales: List<GroupedSale>
}

/// Groups of objects, as a program sees them.
@Suite struct GroupedObjectsTests {
  private let file = try! ScratchRealm(opening: [GroupedSale.self, GroupedBuyer.self])
  private var sales: Results<GroupedSale> { file.realm.objects(GroupedSale.self) }

  private static func date(_ text: String) -> Date { ISO8601DateFormatter().date(from: text)! }

  init() throws {
    let realm = file.realm
    try realm.write {
      let buyer = realm.create(GroupedBuyer.self, value: ["city": "Basel"])
      let stranger = realm.create(GroupedBuyer.self)
      let days = ["2026-01-31T23:59:59Z", "2026-02-01T00:00:00Z", "2025-02-28T12:00:00Z"].map(Self.date)
      for number in 0..<12 {
        let sale = realm.create(GroupedSale.self)
        sale.product = ["bread", "cheese", "apple"][number % 3]
        sale.way = number < 4 ? .mail : .shop
        sale.amount = number
        sale.price = Double(number) / 4
        sale.weight = number % 2 == 0 ? Float(number) : nil
        sale.tax = Decimal128(value: number)
        sale.rest = number == 0 ? .string("none") : .int(number)
        sale.day = days[number / 4]
        sale.returned = number == 5 ? days[2] : nil
        sale.buyer = number == 1 ? nil : number < 6 ? buyer : stranger
      }
      buyer.sales.append(objectsIn: [sales[0], sales[0], sales[1]])
    }
  }

  @Test func counts() {
    #expect(sales.grouped(by: \.product).counts == ["bread": 4, "cheese": 4, "apple": 4])
    #expect(sales.grouped(by: \.way).counts == [.mail: 4, .shop: 8])
    #expect(
      sales.where { $0.amount > 4 }.grouped(by: \.product).counts == ["bread": 2, "cheese": 2, "apple": 3])
    #expect(sales.where { $0.amount > 99 }.grouped(by: \.product).counts.isEmpty)
    #expect(sales.grouped(by: \.buyer?.city).counts == ["Basel": 5, nil: 7])
    #expect(sales.sorted(by: \.price).grouped(by: \.weight).counts[nil] == 6)
  }

  @Test func aggregates() {
    let groups = sales.grouped(by: \.product).aggregated(
      .sum(\.amount), .average(\.price), .min(\.weight), .max(\.tax), .average(\.tax), .average(\.amount),
      .max(\.returned))
    #expect(groups.map(\.key) == ["apple", "bread", "cheese"])
    #expect(groups.map(\.count) == [4, 4, 4])
    let apples = groups[0].values
    #expect(apples.0 == 26)
    #expect(apples.1 == 26.0 / 16)
    #expect(apples.2 == 2)
    #expect(apples.3 == 11)
    #expect(apples.4 == "6.5")
    #expect(apples.5 == 6.5)
    #expect(apples.6 == Self.date("2025-02-28T12:00:00Z"))
    let bread = groups[1].values
    #expect(bread.0 == 18)
    #expect(bread.2 == 0)
    #expect(bread.6 == nil)
  }

  /// Nothing is sorted by data, but what is the same has a group.
  @Test func data() throws {
    let receipts = [Data([1]), Data([0, 255]), Data()]
    try file.realm.write {
      for (number, sale) in sales.enumerated() where number > 2 { sale.receipt = receipts[number % 3] }
    }
    let counts: [Data?: Int] = [receipts[0]: 3, receipts[1]: 3, receipts[2]: 3, nil: 3]
    #expect(sales.grouped(by: \.receipt).counts == counts)
    let groups = sales.grouped(by: \.receipt, \.product).aggregated(.min(\.amount))
    #expect(groups.prefix(4).map(\.key.0) == [nil, nil, nil, Data()])
    #expect(Array(groups.map(\.values).suffix(3)) == [5, 4, 3] as [Int?])
  }

  @Test func severalKeys() {
    let groups = sales.grouped(by: \.way, \.product).aggregated(.sum(\.amount))
    #expect(groups.map(\.key.0) == [.mail, .mail, .mail, .shop, .shop, .shop])
    #expect(groups.map(\.key.1) == ["apple", "bread", "cheese", "apple", "bread", "cheese"])
    #expect(groups.map(\.values) == [2, 3, 1, 24, 15, 21])
  }

  @Test func periods() {
    let days = sales.grouped(by: .day(of: \.day)).aggregated()
    let expectedDays = ["2025-02-28", "2026-01-31", "2026-02-01"].map { Self.date("\($0)T00:00:00Z") }
    #expect(days.map(\.key) == expectedDays)
    let months = sales.grouped(by: .month(of: \.day)).counts
    #expect(months[Self.date("2026-01-01T00:00:00Z")] == 4)
    let years = sales.grouped(by: .year(of: \.day), .value(\.way)).aggregated()
    #expect(years.map(\.count) == [4, 4, 4])
    let expectedYears = ["2025", "2026", "2026"].map { Self.date("\($0)-01-01T00:00:00Z") }
    #expect(years.map(\.key.0) == expectedYears)
    let returns: [Date?: Int] = sales.grouped(by: .month(of: \.returned)).counts
    #expect(returns == [nil: 11, Self.date("2025-02-01T00:00:00Z"): 1])
  }

  @Test func whatIsTwiceInAListCountsTwice() {
    let list = file.realm.objects(GroupedBuyer.self).where { $0.city == "Basel" }[0].sales
    #expect(list.grouped(by: \.product).counts == ["bread": 2, "cheese": 1])
    #expect(list.grouped(by: \.product).aggregated(.sum(\.amount)).map(\.values) == [0, 1])
  }

  @Test func mixedKeys() throws {
    let buyer = file.realm.objects(GroupedBuyer.self)[0]
    try file.realm.write {
      sales[0].rest = .object(buyer)
      sales[1].rest = .object(buyer)
      sales[2].rest = .none
      sales[3].rest = .double(4)
    }
    let groups = sales.grouped(by: \.rest).aggregated()
    let ofBuyer = groups.filter {
      if case .object(let object) = $0.key { object.isSameObject(as: buyer) } else { false }
    }
    #expect(ofBuyer.map(\.count) == [2])
    #expect(groups.first { $0.key == .none }?.count == 1)
    #expect(groups.count { $0.key == .int(4) || $0.key == .double(4) } == 1)
    #expect(groups.map(\.count).reduce(0, +) == 12)
  }

  @Test func textsThatUnicodeCallsEquivalent() throws {
    try file.realm.write {
      sales.setValue("e\u{301}", forKey: "product")
      sales[0].product = "é"
    }
    #expect(sales.grouped(by: \.product).aggregated().map(\.count) == [11, 1])
    #expect(sales.grouped(by: \.product).counts == ["é": 12])
  }

  @Test func followsChangesAndStaysFrozen() throws {
    let grouped = sales.grouped(by: \.way)
    let frozen = sales.freeze().grouped(by: \.way)
    try file.realm.write { sales.setValue(GroupedSale.Way.mail, forKey: "way") }
    #expect(grouped.counts == [.mail: 12])
    #expect(frozen.counts == [.mail: 4, .shop: 8])
    file.realm.beginWrite()
    file.realm.delete(sales.where { $0.amount > 0 })
    #expect(grouped.counts == [.mail: 1])
    file.realm.cancelWrite()
    #expect(grouped.counts == [.mail: 12])
  }

  @Test func whatHasNoGroupsStops() async {
    func expectStop(_ text: String, _ result: ExitTest.Result?) {
      TestSupport.expectStop(result, saying: text)
    }
    expectStop(
      "Cannot group 'GroupedSale' by 'tags'",
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = try GroupedObjectsTests().sales.grouped(by: \.tags)
      })
    expectStop(
      "Operation 'sum' not supported for date",
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = try GroupedObjectsTests().sales.grouped(by: \.product).aggregated(.sum(\.rest), .max(\.day))
        _ = try GroupedObjectsTests().sales.sum(ofProperty: "day") as Double
      })
    expectStop(
      "This method may only be called on RLMArray",
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = List<GroupedSale>().grouped(by: \.product)
      })
  }
}
