import Foundation
import RealmSwift

class Issue: Object {
  @Persisted(primaryKey: true, autoIncrement: true) var number: Int
  @Persisted var title: String
  @Persisted var details: String?
  @Persisted var created = Date()
}
