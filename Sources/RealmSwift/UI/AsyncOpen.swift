public import Foundation

#if canImport(SwiftUI)
  public import SwiftUI
#endif

/// How far a realm is that `@AsyncOpen` or `@AutoOpen` opens.
@frozen public enum AsyncOpenState {
  /// The realm is being opened.
  case connecting
  /// Never the case without synchronisation.
  case waitingForUser
  /// The realm is open, for the main actor.
  case open(Realm)
  /// Never the case without synchronisation: nothing is downloaded.
  case progress(Progress)
  /// The realm could not be opened.
  case error(Error)
}

/// Opens a realm in the background while a view shows that it waits: creating the file, bringing it in line with the
/// classes and compacting it may take long.
///
///     struct OpeningView: View {
///       @AsyncOpen(configuration: .defaultConfiguration) var opening
///
///       var body: some View {
///         switch opening {
///         case .open(let realm): PuppyList().environment(\.realm, realm)
///         case .error(let error): Text(error.localizedDescription)
///         default: Text("opening…")
///         }
///       }
///     }
///
/// Opening begins when the state is first read: with the given configuration, or else with the environment's
/// `realmConfiguration`.
@MainActor @propertyWrapper
public struct AsyncOpen: DynamicProperty {
  @Environment(\.realmConfiguration) private var environmentConfiguration
  @StateObject private var opening: RealmOpening

  /// - Parameters:
  ///   - configuration: That of the realm; nil for the environment's.
  ///   - timeout: Exists for source compatibility: how long to wait for a server.
  public init(configuration: Realm.Configuration? = nil, timeout: UInt? = nil) {
    _opening = StateObject(wrappedValue: RealmOpening(configuration))
  }

  /// How far the realm is.
  public var wrappedValue: AsyncOpenState { opening.state(environmentConfiguration) }

  /// Gives up opening, if the realm is not open already.
  public func cancel() { opening.cancel() }
}

/// The same under the name that opens at once without a connection: without synchronisation there is nothing to wait for.
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
