import Synchronization

/// Holds an object or collection of a realm for use on any thread: each reads its own.
///
///     @ThreadSafe var person = realm.objects(Person.self).first
///     Task.detached {
///       guard let person else { return }  // Deleted meanwhile.
///       try person.realm!.write { person.age += 1 }
///     }
///
/// Reading it opens the realm on the current thread, when it is not open there, and moves it at least to the version
/// in which the value was last set or read anywhere; the file keeps that version meanwhile.
///
/// Functions can take such parameters, also those that run elsewhere: `func load(@ThreadSafe person: Person?) async`.
@propertyWrapper
public final class ThreadSafe<T: ThreadConfined>: Sendable {
  private let state: Mutex<State>

  private struct State {
    var content: Handover.Content?
    /// Grows with every change.
    var changes = 0
  }

  /// Stops the program when the value is in memory only, or was deleted.
  public convenience init(wrappedValue: T?) {
    self.init(Self.content(wrappedValue))
  }

  private init(_ content: Handover.Content?) {
    state = Mutex(State(content: content))
  }

  /// The value for the current thread; nil when it was deleted, or nil was set.
  ///
  /// Stops the program when the realm can not be opened, and when a value is set that is in memory only or was
  /// deleted.
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

  /// The holder itself, which closures that run elsewhere may capture: `{ [$person] in $person.wrappedValue }`.
  public var projectedValue: ThreadSafe { self }

  /// Holds what another one holds at present. With this a parameter is wrapped by the caller, where the value belongs.
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
