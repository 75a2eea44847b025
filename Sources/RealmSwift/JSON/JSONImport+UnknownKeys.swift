import Storage

/// The keys that an import has left out, for one warning at its end.
struct IgnoredKeys {
  private var count = 0
  private var first: (key: String, className: String, object: Int)?

  /// - Parameter object: The number of the object in the text, counted from 1.
  mutating func note(_ key: ScannedText, _ className: String, object: Int) {
    count += 1
    if first == nil { first = (key.string.shortened, className, object) }
  }

  /// Logs one warning if there were any.
  func log() {
    guard let first else { return }
    Logger.shared.log(
      .warn,
      "importJSON left out \(count) \(count == 1 ? "key that is" : "keys that are") the name of no property: the first is '\(first.key)' for class '\(first.className)' in object \(first.object). `unknownKeys: .refuse` throws instead."
    )
  }
}

extension JSONImport {
  /// Skips the value of a key that is the name of no property.
  ///
  /// - Throws: `JSONScanner.Fault` when such keys are refused, or the value is no JSON.
  mutating func skip(_ key: ScannedText, at start: Int, _ schema: ClassSchema) throws {
    if unknownKeys == .refuse {
      let message = ValueError.unknownProperty(key.string.shortened, schema)
      throw scanner.fault("\(message) `unknownKeys: .ignore` leaves such keys out.", at: start)
    }
    ignored.note(key, schema.className, object: number)
    try skipValue()
  }
}
