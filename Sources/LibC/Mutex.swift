#if THREAD_SANITIZER
  /// What `Synchronization.Mutex` is, which it stands in for where a module prefers it.
  ///
  /// The thread sanitizer knows the locks of pthreads, but not those of `Synchronization`, in which everything that a
  /// mutex guards looks unguarded. `make test-tsan` sets the condition; no other build has this type. Each module that has
  /// mutexes has a type alias for it, and so has TestSupport for all tests.
  package struct Mutex<Value: ~Copyable>: ~Copyable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    package init(_ initialValue: consuming sending Value) {
      pthread_mutex_init(lock, nil)
      value.initialize(to: initialValue)
    }

    deinit {
      value.deinitialize(count: 1)
      value.deallocate()
      pthread_mutex_destroy(lock)
      lock.deallocate()
    }

    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
      return try body(&value.pointee)
    }
  }

  extension Mutex: @unchecked Sendable where Value: ~Copyable {}
#endif
