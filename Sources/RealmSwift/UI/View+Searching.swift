#if canImport(SwiftUI)
  public import SwiftUI

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
  }
#endif
