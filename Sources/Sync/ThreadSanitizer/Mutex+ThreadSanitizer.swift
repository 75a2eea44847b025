#if THREAD_SANITIZER
  import Storage

  /// Preferred to `Synchronization.Mutex` everywhere in this module.
  typealias Mutex<Value: ~Copyable> = Storage.Mutex<Value>
#endif
