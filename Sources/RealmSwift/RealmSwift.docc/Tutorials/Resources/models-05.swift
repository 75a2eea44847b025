import Foundation
import RealmSwift

enum Status: String, PersistableEnum {
  case open, inProgress, closed
}

class Person: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted(originProperty: "assignee") var issues: LinkingObjects<Issue>
}

class Comment: EmbeddedObject {
  @Persisted var text: String
  @Persisted var author: Person?
}

class Issue: Object {
  @Persisted(primaryKey: true, autoIncrement: true) var number: Int
  @Persisted var title: String
  @Persisted var details: String?
  @Persisted var created = Date()
  @Persisted(indexed: true) var status = Status.open
  @Persisted var priority = 3
  @Persisted var labels: MutableSet<String>
  @Persisted var assignee: Person?
  @Persisted var comments: List<Comment>
}
