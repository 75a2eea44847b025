#if THREAD_SANITIZER
  import LibC

  /// Preferred to `Synchronization.Mutex` everywhere in this module.
  typealias Mutex<Value: ~Copyable> = LibC.Mutex<Value>
#endif
