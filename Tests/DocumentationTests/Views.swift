// Type-checked by Scripts/check-swiftui where there is no SwiftUI.
#if canImport(SwiftUI)
  import RealmSwift
  import SwiftUI

  struct HutList: View {
    @ObservedResults(Hut.self, sortDescriptor: SortDescriptor(keyPath: "name")) var huts

    var body: some View {
      VStack {
        ForEach(huts) { hut in
          HutEditor(hut: hut)
        }
        .onDelete(perform: $huts.remove)
        Button("Add") { $huts.append(Hut()) }
      }
    }
  }

  struct HutEditor: View {
    @ObservedRealmObject var hut: Hut

    var body: some View {
      TextField("Name", text: $hut.name)
    }
  }

  /// The forms of `searchable`, which are chosen by the kind of their prompt.
  struct DogSearch: View {
    @ObservedResults(Dog.self) var dogs
    @ObservedSectionedResults(Dog.self, sectionKeyPath: \.breed) var breeds
    @State var text = ""
    let prompt = "Name of a dog"

    var body: some View {
      VStack {
        all.searchable(text: $text, collection: $dogs, keyPath: \.name)
        all.searchable(text: $text, collection: $breeds, keyPath: \.name, placement: .automatic)
        all.searchable(text: $text, collection: $dogs, keyPath: \.name, prompt: Text(prompt))
        all.searchable(text: $text, collection: $dogs, keyPath: \.name, prompt: "Name")
        all.searchable(text: $text, collection: $dogs, keyPath: \.name, prompt: prompt)
        all.searchable(text: $text, collection: $dogs, keyPath: \.name) { suggestions }
        all.searchable(text: $text, collection: $dogs, keyPath: \.name, prompt: Text(prompt)) { suggestions }
        all.searchable(text: $text, collection: $dogs, keyPath: \.name, prompt: "Name") { suggestions }
        all.searchable(text: $text, collection: $breeds, keyPath: \.name, prompt: prompt) { suggestions }
      }
    }

    private var all: some View { ForEach(dogs) { dog in Text(dog.name) } }
    private var suggestions: some View { Text("Wolfie") }
  }
#endif
