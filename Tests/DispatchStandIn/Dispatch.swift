// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The names of Dispatch that Storage uses, for Scripts/check-arm64: the toolchain has Dispatch for its own processor only.
// Nothing of this is run.

public enum DispatchTimeInterval: Sendable { case milliseconds(Int) }

public struct DispatchTime: Comparable, Sendable {
  public static func now() -> DispatchTime { DispatchTime() }
  public static func < (left: DispatchTime, right: DispatchTime) -> Bool { false }
  public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { time }
}

public enum DispatchTimeoutResult: Sendable { case success, timedOut }

public final class DispatchSemaphore: Sendable {
  public init(value: Int) {}
  public func wait() {}
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { .success }
  @discardableResult public func signal() -> Int { 0 }
}
