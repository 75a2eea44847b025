import LibC

/// An object for each thread that asks for it, which is released when the thread ends.
///
/// Made once: the system has few of them.
package struct ThreadLocal<Value: AnyObject>: Sendable {
  private let key: pthread_key_t
  private let make: @Sendable () -> Value

  package init(_ make: @escaping @Sendable () -> Value) {
    var key = pthread_key_t()
    let code = pthread_key_create(&key) { Unmanaged<AnyObject>.fromOpaque($0!).release() }
    precondition(code == 0)
    self.key = key
    self.make = make
  }

  /// The object of the current thread.
  package var value: Value {
    if let known = pthread_getspecific(key) {
      return Unmanaged<Value>.fromOpaque(known).takeUnretainedValue()
    }
    let value = make()
    pthread_setspecific(key, Unmanaged.passRetained(value).toOpaque())
    return value
  }
}
