import CSwiftRuntime

/// Whether a thread has a run loop, which Foundation does not tell without making one.
///
/// CoreFoundation has a function for it that is no documented part (`_CFRunLoopGet0b` in CFRunLoop.c). It is there or it
/// is not. Without it every thread may have one.
package enum RunLoopLookup {
  static let isKnown = RuntimeFact.runLoopLookup.isSo { hasRunLoopLookup() }

  /// Whether the current thread may have a run loop.
  package static var currentThreadMayHaveOne: Bool { !isKnown || currentThreadHasRunLoop() }
}
