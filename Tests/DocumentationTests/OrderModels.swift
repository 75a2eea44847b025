import RealmSwift

// Classes with rules that the file keeps.

class Order: Object {
  @Persisted(primaryKey: true, autoIncrement: true) var number: Int  // given by the file, each once
  @Persisted(onDelete: .cascade) var items: List<OrderItem>  // deleted with the order
  @Persisted(onDelete: .deny) var customer: Customer?  // not deleted as long as it has orders
}

class OrderItem: Object {
  @Persisted var name: String
}

class Customer: Object {
  @Persisted var name: String
}
