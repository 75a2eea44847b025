import LibC

/// Runs code on a thread with a stack of 512 KB, as threads other than the main one have on some systems: what recurses
/// over deep data ends the program there.
func onSmallStack<Result>(_ body: () throws -> Result) throws -> Result {
  try withoutActuallyEscaping(body) { body in
    let call = StackCall { Swift.Result { try body() } }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, 512 * 1024)
    defer { pthread_attr_destroy(&attributes) }
    var thread = pthread_t()
    let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
      Unmanaged<AnyStackCall>.fromOpaque(argument!).takeUnretainedValue().run()
      return nil
    }
    let code = pthread_create(
      &thread, &attributes, start, Unmanaged.passUnretained(call as AnyStackCall).toOpaque())
    precondition(code == 0)
    pthread_join(thread, nil)
    return try call.result!.get()
  }
}

private class AnyStackCall {
  func run() {}
}

private final class StackCall<Result>: AnyStackCall {
  private let body: () -> Swift.Result<Result, any Error>
  private(set) var result: Swift.Result<Result, any Error>?

  init(_ body: @escaping () -> Swift.Result<Result, any Error>) { self.body = body }

  override func run() { result = body() }
}
