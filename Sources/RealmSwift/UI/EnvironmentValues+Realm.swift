#if canImport(SwiftUI)
  public import SwiftUI
#endif

private struct RealmConfigurationKey: EnvironmentKey {
  static var defaultValue: Realm.Configuration { .defaultConfiguration }
}

extension EnvironmentValues {
  /// The configuration with which `@ObservedResults` opens its realm if it has none of its own.
  public var realmConfiguration: Realm.Configuration {
    get { self[RealmConfigurationKey.self] }
    set { self[RealmConfigurationKey.self] = newValue }
  }

  /// The realm of `realmConfiguration`, opened at each access. Setting it sets the configuration.
  ///
  /// Stops the program if the realm cannot be opened.
  public var realm: Realm {
    get {
      do {
        return Realm(try Opening.open(realmConfiguration, at: .current, from: nil))
      } catch {
        trap("The Realm could not be opened: \(error.localizedDescription)")
      }
    }
    set { realmConfiguration = newValue.configuration }
  }
}
