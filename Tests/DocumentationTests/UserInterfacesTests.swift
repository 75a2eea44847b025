#if !canImport(SwiftUI)
  import RealmSwift
  import Testing

  @MainActor struct HutCount {
    @ObservedResults(Hut.self) var huts

    var body: String { "\(huts.count) huts" }
  }

  @MainActor struct UserInterfacesTests {
    @Test func withoutSwiftUI() throws {
      let mountains = try Mountains()
      let configuration = mountains.configuration
      let view = HutCount()
      var environment = EnvironmentValues()
      environment.realmConfiguration = configuration
      let updates = ViewUpdates(of: view, environment: environment) { print(view.body) }
      view.$huts.append(Hut())
      #expect(view.body == "4 huts")
      withExtendedLifetime(updates) {}
    }
  }
#endif
