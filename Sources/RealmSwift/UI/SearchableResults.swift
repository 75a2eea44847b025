/// Results in a user interface that can be searched for a text.
@MainActor public protocol SearchableResults {
  associatedtype ResultType
  /// Shows only the objects that contain a text in a property, besides the other conditions; all for an empty text.
  func searchText(_ text: String, on keyPath: KeyPath<ResultType, String>)
}

extension ObservedResults: SearchableResults {}
extension ObservedSectionedResults: SearchableResults {}
