#if THREAD_SANITIZER
  import Storage

  /// Preferred to `Synchronization.Mutex` everywhere in these tests.
  typealias Mutex<Value: ~Copyable> = Storage.Mutex<Value>
#endif
