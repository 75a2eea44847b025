import Synchronization

/// A property wrapper that holds an object or collection of a realm for use on any thread. Each thread reads
/// its own instance.
///
/// ```swift
/// @ThreadSafe var shared = hut
/// Task.detached {
///   guard let hut = shared else { return }  // deleted in the meantime
///   try hut.realm!.write { hut.beds += 1 }
/// }
/// ```
///
/// Reading the value opens the realm on the current thread, if it is not open there, and moves it at least to
/// the version in which the value was last set or read on any thread. The file keeps that version until then.
///
/// Functions can take such parameters, including functions that run elsewhere: `func load(@ThreadSafe hut:
/// Hut?) async`.
@propertyWrapper
public final class ThreadSafe<T: ThreadConfined>: Sendable {
  private let state: Mutex<State>

  private struct State {
    var content: Handover.Content?
    /// Grows with every change.
    var changes = 0
  }

  /// Creates the wrapper. Stops the program if the value is unmanaged or was deleted.
  public convenience init(wrappedValue: T?) {
    self.init(Self.content(wrappedValue))
  }

  private init(_ content: Handover.Content?) {
    state = Mutex(State(content: content))
  }

  /// The value for the current thread; nil if it was deleted or nil was set.
  ///
  /// Stops the program if the realm cannot be opened, and if a value is set that is unmanaged or was deleted.
  public var wrappedValue: T? {
    get {
      let (content, changes) = state.withLock { ($0.content, $0.changes) }
      guard let content else { return nil }
      let value = Self.value(content)
      // Later readers see at least what this one does.
      let next = Self.content(value)
      state.withLock { state in
        if state.changes == changes { state.content = next }
      }
      return value
    }
    set {
      let content = Self.content(newValue)
      state.withLock { state in
        state.content = content
        state.changes += 1
      }
    }
  }

  /// The wrapper itself, which closures that run elsewhere can capture: `{ [$hut] in $hut.wrappedValue }`.
  public var projectedValue: ThreadSafe { self }

  /// Creates a wrapper of the value that another one holds now. It wraps a parameter at the caller, where the
  /// value belongs.
  public convenience init(projectedValue: ThreadSafe) {
    self.init(projectedValue.state.withLock { $0.content })
  }

  private static func content(_ value: T?) -> Handover.Content? {
    guard let value else { return nil }
    if value.realm == nil && !value.isInvalidated {
      trap("Only managed objects may be wrapped as thread safe.")
    }
    return Handover.Content(value)
  }

  private static func value(_ content: Handover.Content) -> T? {
    do {
      return content.find(in: try content.openHere(), keepsVersion: false) as? T
    } catch {
      trap("\(error.localizedDescription)")
    }
  }
}
