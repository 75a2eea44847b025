#if canImport(SwiftUI)
  import SwiftUI
#endif

/// What a property wrapper keeps of an object, collection or projection: the live value, so that no version of the
/// file is kept, and its observation.
@MainActor final class ViewValue<Value: RealmSubscribable & ThreadConfined>: ObservableObject {
  // Used on the main actor only, which the protocol does not know.
  nonisolated(unsafe) let objectWillChange = ObservableObjectPublisher()
  private let keyPaths: [String]?
  /// What is shown instead of something that was deleted.
  private let placeholder: @MainActor () -> Value
  private var token: NotificationToken?

  var value: Value {
    didSet {
      token = nil
      changed()
    }
  }

  init(_ value: Value, keyPaths: [String]? = nil, placeholder: @escaping @MainActor () -> Value) {
    self.value = Self.live(value)
    self.keyPaths = keyPaths
    self.placeholder = placeholder
  }

  /// The live value, unless it was deleted meanwhile.
  static func live(_ value: Value) -> Value { value.isFrozen ? value.thaw() ?? value : value }

  /// The value as a view gets to see it. Reading it starts the notification of changes.
  var shown: Value {
    if value.isGone { return placeholder() }
    observe()
    return QuickWrite.shown(value)
  }

  func observe() {
    guard token == nil, let realm = value.realm?.core, realm.isObservable else { return }
    token = value._rlmSubscribe(keyPaths: keyPaths) { [weak self] in
      // Realms of the main thread call there.
      MainActor.assumeIsolated { self?.changed() }
    }
  }

  func changed() { objectWillChange.send() }
}

extension RealmCore {
  /// Whether an observation may begin here and now.
  var isObservable: Bool {
    !isFrozen && !configuration.readOnly && confinement.canDeliver && !snapshot.hasChanges
  }
}
