// Full-text searches that the compiler refuses.
import RealmSwift

class Essay: Object {
  @Persisted(fullText: true) var title: String
  @Persisted(fullText: true) var body: String
}

func search(_ essays: Results<Essay>) {
  _ = essays.where { $0.fullTextSearch("peak", in: $0.title) }
  _ = essays.where { $0.fullTextSearch("peak", in: $0.title, $0.body) }
  // A search over an object names at least one property.
  // expected-error@+2 {{value of type 'Query<Essay>' has no dynamic member 'fullTextSearch'}}
  // expected-error@+1 {{cannot call value of non-function type}}
  _ = essays.where { $0.fullTextSearch("peak") }
}
