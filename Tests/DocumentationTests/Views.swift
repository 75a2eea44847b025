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
#endif
