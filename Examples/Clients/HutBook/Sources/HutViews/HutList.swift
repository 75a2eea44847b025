// An application for iOS has this in its Linux package as well: there it is empty.
#if canImport(SwiftUI)
  import HutModels
  import RealmSwift
  import SwiftUI

  /// The huts, by name.
  public struct HutList: View {
    @ObservedResults(Hut.self, sortDescriptor: SortDescriptor(keyPath: "name")) var huts
    @State private var text = ""

    /// The list of all huts.
    public init() {}

    /// A row for each hut.
    public var body: some View {
      SwiftUI.List {
        ForEach(huts) { hut in
          HutEditor(hut: hut)
        }
        .onDelete(perform: $huts.remove)
      }
      .searchable(text: $text, collection: $huts, keyPath: \.name)
    }
  }

  /// The fields of one hut.
  public struct HutEditor: View {
    @ObservedRealmObject var hut: Hut

    /// The fields of a hut.
    public init(hut: Hut) { self.hut = hut }

    /// A field for the name, a button that adds an entry.
    public var body: some View {
      VStack {
        TextField("Name", text: $hut.name)
        Button("Sign") { $hut.entries.append(Entry(guest: "Me")) }
      }
    }
  }
#endif
