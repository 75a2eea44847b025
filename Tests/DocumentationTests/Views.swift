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

  struct PuppyList: View {
    @ObservedResults(Dog.self, where: { $0.age < 2 }) var puppies

    var body: some View {
      ForEach(puppies) { dog in Text(dog.name) }
        .onDelete(perform: $puppies.remove)
    }
  }

  struct DogEditor: View {
    @ObservedRealmObject var dog: Dog

    var body: some View {
      VStack {
        TextField("Name", text: $dog.name)
        Button("Delete") { $dog.delete() }
      }
    }
  }

  struct NewDog: View {
    @StateRealmObject var dog = Dog()

    var body: some View {
      TextField("Name", text: $dog.name)
    }
  }

  struct BreedList: View {
    @ObservedSectionedResults(Dog.self, sectionKeyPath: \.breed) var breeds

    var body: some View {
      ForEach(breeds) { breed in
        Section(breed.key) {
          ForEach(breed) { dog in Text(dog.name) }
            .onDelete { $breeds.remove(atOffsets: $0, section: breed) }
        }
      }
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

  struct OpeningView: View {
    @AsyncOpen(configuration: .defaultConfiguration) var opening

    var body: some View {
      switch opening {
      case .open(let realm): PuppyList().environment(\.realm, realm)
      case .error(let error): Text(error.localizedDescription)
      default: Text("opening…")
      }
    }
  }
#endif
