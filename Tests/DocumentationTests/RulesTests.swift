import RealmSwift
import TestSupport
import Testing

/// The samples with rules that the file keeps: of README.md, and of the articles on models and on deleting.
struct RulesTests {
  private let folder = ScratchFolder()

  private func open() throws -> Realm {
    try Realm(
      configuration: .init(
        fileURL: folder.file("orders.realm"), objectTypes: [Order.self, OrderItem.self, Customer.self]))
  }

  @Test func readme() throws {
    let realm = try open()
    try realm.write {
      let order = realm.create(Order.self, value: ["items": [["name": "Rope"], ["name": "Lamp"]]])
      print(order.number)  // 1
      realm.delete(order)  // and its items
    }
    #expect(realm.isEmpty)
  }

  @Test func numbers() throws {
    let realm = try open()
    try realm.write {
      let first = realm.create(Order.self)
      let tenth = realm.create(Order.self, value: ["number": 10])
      let next = realm.create(Order.self)
      print(first.number, tenth.number, next.number)  // 1 10 11
    }
    #expect(realm.objects(Order.self).map(\.number) == [1, 10, 11])
  }

  @Test func invoices() throws {
    let realm = try Realm(
      configuration: .init(fileURL: folder.file("invoices.realm"), objectTypes: [Invoice.self]))
    try realm.write {
      realm.create(Invoice.self, value: ["tenant": "Acme", "number": 7, "city": "Graz"])
      realm.create(Invoice.self, value: ["tenant": "Acme", "number": 7, "city": "Wien"], update: .modified)
    }
    let invoice = realm.object(ofType: Invoice.self, forPrimaryKey: ("Acme", 7))
    let same = realm.object(ofType: Invoice.self, forPrimaryKey: ["number": 7, "tenant": "Acme"])
    #expect(invoice?.city == "Wien" && invoice == same)
  }

  @Test func deleting() throws {
    let realm = try open()
    let customer = Customer(value: ["name": "Ida"])
    let order = Order(value: ["customer": customer, "items": [["name": "Rope"]]] as [String: Any])
    try realm.write { realm.add(order) }
    var said = ""
    func print(_ text: String) { said = text }
    func deleteCustomer() throws {
      do {
        try realm.write { realm.delete(customer) }
      } catch Realm.Error.ruleBroken {
        print("there are orders")
      }
    }
    try deleteCustomer()
    #expect(said == "there are orders" && realm.objects(Customer.self).count == 1)
    try realm.write { realm.delete(order, cascading: true) }
    #expect(realm.isEmpty)
  }
}
