public import Foundation

#if canImport(SwiftUI)
  public import SwiftUI
#endif

/// The state of a realm that `@AsyncOpen` or `@AutoOpen` opens.
@frozen public enum AsyncOpenState {
  /// The realm is being opened.
  case connecting
  /// Never used: there is no synchronisation.
  case waitingForUser
  /// The realm is open, for the main actor.
  case open(Realm)
  /// Never used: nothing is downloaded.
  case progress(Progress)
  /// The realm could not be opened.
  case error(Error)
}

/// A property wrapper that opens a realm in the background while a view displays its progress. Creating,
/// migrating and compacting the file can take long.
///
/// ```swift
/// struct OpeningView: View {
///   @AsyncOpen(configuration: .defaultConfiguration) var opening
///
///   var body: some View {
///     switch opening {
///     case .open(let realm): SmallHutList().environment(\.realm, realm)
///     case .error(let error): Text(error.localizedDescription)
///     default: Text("opening…")
///     }
///   }
/// }
/// ```
///
/// Opening begins when the state is first read: with the given configuration, or else with
/// `realmConfiguration` of the environment.
@MainActor @propertyWrapper
public struct AsyncOpen: DynamicProperty {
  @Environment(\.realmConfiguration) private var environmentConfiguration
  @StateObject private var opening: RealmOpening

  /// Creates the property wrapper.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the realm; nil for that of the environment.
  ///   - timeout: Ignored; present for source compatibility.
  public init(configuration: Realm.Configuration? = nil, timeout: UInt? = nil) {
    _opening = StateObject(wrappedValue: RealmOpening(configuration))
  }

  /// The state of the realm.
  public var wrappedValue: AsyncOpenState { opening.state(environmentConfiguration) }

  /// Cancels opening, unless the realm is open already.
  public func cancel() { opening.cancel() }
}

/// An alias of ``AsyncOpen``: the official SDK's wrapper opens at once without a connection, and without
/// synchronisation there is nothing to wait for.
public typealias AutoOpen = AsyncOpen

/// The opening of one realm, which begins when its state is first asked for.
@MainActor private final class RealmOpening: ObservableObject {
  // Used on the main actor only, which the protocol does not know.
  nonisolated(unsafe) let objectWillChange = ObservableObjectPublisher()
  private let configuration: Realm.Configuration?
  private var state = AsyncOpenState.connecting
  private var task: AsyncOpenTask?

  init(_ configuration: Realm.Configuration?) { self.configuration = configuration }

  func state(_ environment: Realm.Configuration) -> AsyncOpenState {
    if task == nil {
      task = Realm.asyncOpen(configuration: configuration ?? environment) { [weak self] result in
        MainActor.assumeIsolated { self?.finish(result) }
      }
    }
    return state
  }

  private func finish(_ result: Result<Realm, any Error>) {
    objectWillChange.send()
    switch result {
    case .success(let realm): state = .open(realm)
    case .failure(let error): state = .error(error)
    }
  }

  func cancel() { task?.cancel() }
}
