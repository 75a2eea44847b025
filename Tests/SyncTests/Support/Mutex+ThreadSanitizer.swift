#if THREAD_SANITIZER
  import LibC

  /// Preferred to `Synchronization.Mutex` everywhere in these tests.
  typealias Mutex<Value: ~Copyable> = LibC.Mutex<Value>
#endif
