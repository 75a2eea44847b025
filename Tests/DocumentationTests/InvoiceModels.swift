import Foundation
import RealmSwift

// A class with indexes over several properties.

class Invoice: Object {
  @Persisted(unique: true) var reference: String?
  @Persisted var tenant = ""
  @Persisted var number = 0
  @Persisted var city = ""
  @Persisted var due = Date()

  override class func indexes() -> [Index] {
    [.primaryKey(\.tenant, \.number), .index(\.city, \.due)]
  }
}
