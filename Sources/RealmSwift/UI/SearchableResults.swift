#if canImport(SwiftUI)
  public import SwiftUI
#endif

/// Results in a user interface that can be searched for a text.
@MainActor public protocol SearchableResults {
  /// The type of the results.
  associatedtype ResultType
  /// Limits the results to objects that contain a text in a property, in addition to the other conditions. An
  /// empty text matches all objects.
  func searchText(_ text: String, on keyPath: KeyPath<ResultType, String>)
}

extension ObservedResults: SearchableResults {}
extension ObservedSectionedResults: SearchableResults {}

#if canImport(SwiftUI)
  extension View {
    /// Adds a search field for the objects that contain a text in a property.
    public func searchable<Results: SearchableResults>(
      text: Binding<String>, collection: Results, keyPath: KeyPath<Results.ResultType, String>,
      placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
    ) -> some View {
      collection.searchText(text.wrappedValue, on: keyPath)
      return searchable(text: text, placement: placement, prompt: prompt)
    }

    /// Adds a search field for the objects that contain a text in a property.
    public func searchable<Results: SearchableResults>(
      text: Binding<String>, collection: Results, keyPath: KeyPath<Results.ResultType, String>,
      placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey
    ) -> some View {
      collection.searchText(text.wrappedValue, on: keyPath)
      return searchable(text: text, placement: placement, prompt: prompt)
    }

    /// Adds a search field for the objects that contain a text in a property.
    public func searchable<Results: SearchableResults, Prompt: StringProtocol>(
      text: Binding<String>, collection: Results, keyPath: KeyPath<Results.ResultType, String>,
      placement: SearchFieldPlacement = .automatic, prompt: Prompt
    ) -> some View {
      collection.searchText(text.wrappedValue, on: keyPath)
      return searchable(text: text, placement: placement, prompt: prompt)
    }

    /// Adds a search field for the objects that contain a text in a property, with suggestions for the text.
    public func searchable<Results: SearchableResults, Suggestions: View>(
      text: Binding<String>, collection: Results, keyPath: KeyPath<Results.ResultType, String>,
      placement: SearchFieldPlacement = .automatic, prompt: Text? = nil,
      @ViewBuilder suggestions: () -> Suggestions
    ) -> some View {
      collection.searchText(text.wrappedValue, on: keyPath)
      return searchable(text: text, placement: placement, prompt: prompt, suggestions: suggestions)
    }

    /// Adds a search field for the objects that contain a text in a property, with suggestions for the text.
    public func searchable<Results: SearchableResults, Suggestions: View>(
      text: Binding<String>, collection: Results, keyPath: KeyPath<Results.ResultType, String>,
      placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey,
      @ViewBuilder suggestions: () -> Suggestions
    ) -> some View {
      collection.searchText(text.wrappedValue, on: keyPath)
      return searchable(text: text, placement: placement, prompt: prompt, suggestions: suggestions)
    }

    /// Adds a search field for the objects that contain a text in a property, with suggestions for the text.
    public func searchable<Results: SearchableResults, Suggestions: View, Prompt: StringProtocol>(
      text: Binding<String>, collection: Results, keyPath: KeyPath<Results.ResultType, String>,
      placement: SearchFieldPlacement = .automatic, prompt: Prompt,
      @ViewBuilder suggestions: () -> Suggestions
    ) -> some View {
      collection.searchText(text.wrappedValue, on: keyPath)
      return searchable(text: text, placement: placement, prompt: prompt, suggestions: suggestions)
    }
  }
#endif
