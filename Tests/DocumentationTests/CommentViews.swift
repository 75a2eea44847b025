// The views of the samples in documentation comments. Type-checked by Scripts/check-swiftui where there is no SwiftUI.
#if canImport(SwiftUI)
  import RealmSwift
  import SwiftUI

  struct SmallHutList: View {
    @ObservedResults(Hut.self, where: { $0.beds < 20 }) var huts

    var body: some View {
      ForEach(huts) { hut in Text(hut.name) }
        .onDelete(perform: $huts.remove)
    }
  }

  struct HutForm: View {
    @ObservedRealmObject var hut: Hut

    var body: some View {
      VStack {
        TextField("Name", text: $hut.name)
        Button("Delete") { $hut.delete() }
      }
    }
  }

  struct NewHut: View {
    @StateRealmObject var hut = Hut()

    var body: some View {
      TextField("Name", text: $hut.name)
    }
  }

  struct HutsByKind: View {
    @ObservedSectionedResults(Hut.self, sectionKeyPath: \.kind) var kinds

    var body: some View {
      ForEach(kinds) { kind in
        Section(kind.key.rawValue) {
          ForEach(kind) { hut in Text(hut.name) }
            .onDelete { $kinds.remove(atOffsets: $0, section: kind) }
        }
      }
    }
  }

  struct OpeningView: View {
    @AsyncOpen(configuration: .defaultConfiguration) var opening

    var body: some View {
      switch opening {
      case .open(let realm): SmallHutList().environment(\.realm, realm)
      case .error(let error): Text(error.localizedDescription)
      default: Text("opening…")
      }
    }
  }
#endif
