import RealmSwift

/// Invoices whose numbers come from the file, and those that link to them.
class Invoice: Hidden {
  @Persisted(primaryKey: true, autoIncrement: true) var number: Int
  @Persisted var text = ""
  @Persisted var previous: Invoice?
  @Persisted var parts: List<Invoice>

  convenience init(_ text: String) {
    self.init()
    self.text = text
  }
}

class Number8: Hidden { @Persisted(primaryKey: true, autoIncrement: true) var id: Int8 }
class Number16: Hidden { @Persisted(primaryKey: true, autoIncrement: true) var id: Int16 = 0 }
class Number32: Hidden { @Persisted(primaryKey: true, autoIncrement: true) var id: Int32 }
class Number64: Hidden { @Persisted(primaryKey: true, autoIncrement: true) var id: Int64 }
class NumberOrNil: Hidden { @Persisted(primaryKey: true, autoIncrement: true) var id: Int16? }

/// The class of invoices as programs know it that mention no numbering, or end it.
enum OtherInvoices {
  class Plain: Hidden {
    override class func _realmObjectName() -> String? { "Invoice" }
    @Persisted(primaryKey: true) var number: Int
    @Persisted var text = ""
    @Persisted var previous: Plain?
    @Persisted var parts: List<Plain>
  }
  class Ended: Hidden {
    override class func _realmObjectName() -> String? { "Invoice" }
    @Persisted(primaryKey: true, autoIncrement: false) var number: Int
    @Persisted var text = ""
    @Persisted var previous: Ended?
    @Persisted var parts: List<Ended>
  }
  class Renamed: Hidden {
    override class func _realmObjectName() -> String? { "Invoice" }
    @Persisted(primaryKey: true) var id: Int
    @Persisted var text = ""
    @Persisted var previous: Renamed?
    @Persisted var parts: List<Renamed>
  }
}
