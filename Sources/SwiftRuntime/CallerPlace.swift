import LibC

#if canImport(Runtime)
  import Runtime
#endif

/// Where the program has called a library: the innermost frame of the stack whose code is not the library's own, as far as
/// the program's debug information tells. Takes some milliseconds, or a second in a very large program, which is no matter
/// for one that stops. Nothing is looked for when backtraces are switched off as for Swift's own: `SWIFT_BACKTRACE=enable=no`.
package struct CallerPlace {
  /// As `#fileID` writes it, with the file's folder for its module.
  package let file: StaticString
  package let line: UInt

  /// - Parameter folders: Those with the library's sources, which end in a slash. Nil when no frame is known that is not
  ///   from there.
  package static func outside(_ folders: [String]) -> CallerPlace? {
    #if canImport(Runtime)
      if let settings = getenv("SWIFT_BACKTRACE"), strstr(settings, "enable=no") != nil { return nil }
      if !canBeNamed { return nil }
      guard
        let backtrace = try? Backtrace.capture(limit: 96, top: 0)
          .symbolicated(options: [.showInlineFrames, .showSourceLocations])
      else { return nil }
      for frame in backtrace.frames {
        guard let place = frame.symbol?.sourceLocation, place.line > 0, place.path.hasPrefix("/"),
          !place.path.hasPrefix("//"), !place.path.contains("/swift-generated-sources/"),
          !place.path.contains("/stdlib/public/"),
          !folders.contains(where: { place.path.hasPrefix($0) })
        else { continue }
        let name = place.path.split(separator: "/").suffix(2).joined(separator: "/")
        return lasting(name).map { CallerPlace(file: $0, line: UInt(place.line)) }
      }
    #endif
    return nil
  }

  private typealias Parts = (address: UInt, count: UInt, flags: UInt8)

  /// Whether a `StaticString` is an address, a length, and a byte that is 2 for ASCII, as in Swift 5.0 to 6.3
  /// (swift/stdlib/public/core/StaticString.swift). Otherwise stops name a place in the library.
  package static let canBeNamed = RuntimeFact.staticStrings.isSo {
    guard MemoryLayout<Parts>.size == MemoryLayout<StaticString>.size else { return false }
    let known: StaticString = "known"
    let parts = unsafeBitCast(known, to: Parts.self)
    return parts.address == UInt(bitPattern: known.utf8Start) && parts.count == 5 && parts.flags == 2
  }

  /// A text that is never freed, in the form that messages of the standard library take; nil when it is not ASCII.
  private static func lasting(_ text: String) -> StaticString? {
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count + 1)
    _ = bytes.initialize(from: text.utf8 + [0])
    let parts: Parts = (UInt(bitPattern: bytes.baseAddress!), UInt(text.utf8.count), 2)
    return unsafeBitCast(parts, to: StaticString.self)
  }
}
