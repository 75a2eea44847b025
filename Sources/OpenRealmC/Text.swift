import COpenRealm
import LibC
import RealmSwift

/// Texts on their way from and to C.
enum Text {
  /// Copies a text unless it is NULL.
  static func readOptional(_ pointer: UnsafePointer<CChar>?) throws(Refusal) -> String? {
    guard let pointer else { return nil }
    return try checkedText(pointer)
  }

  /// Copies an array of texts. Throws when there is none although there should be texts.
  static func readAll(
    _ pointers: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int
  ) throws(Refusal) -> [String] {
    try Number.check(count)
    if count == 0 { return [] }
    guard let pointers else { throw .null }
    var texts: [String] = []
    for index in 0..<count { texts.append(try checkedText(pointers[index])) }
    return texts
  }

  /// Fills in a string value whose bytes the caller frees with `openrealm_value_clear`; null for nil.
  static func write(
    _ text: String?, to place: UnsafeMutablePointer<openrealm_value>
  ) throws(Refusal) {
    place.initialize(to: try text.map { text throws(Refusal) in try openrealm_value(text: text) } ?? .null)
  }
}

/// The number of elements of an array that C passes.
enum Number {
  /// The largest number that functions take: no class has more properties.
  static let limit = 65_536

  /// Throws for a number that no array of a program can have, before anything is read.
  @inline(__always)
  static func check(_ count: Int) throws(Refusal) {
    guard 0...limit ~= count else {
      throw Refusal(
        .badArgument, "The number of elements is \(UInt(bitPattern: count)), and not 0 to \(limit).")
    }
  }
}

/// An encryption key on its way from C: NULL, or 64 bytes.
func readKey(_ key: UnsafePointer<UInt8>?, size: Int = 64) throws(Refusal) -> [UInt8]? {
  guard let key else {
    if size == 0 || size == 64 { return nil }
    throw .null
  }
  if size != 64 { throw Refusal(.badArgument, "Encryption key must be exactly 64 bytes long") }
  return Array(UnsafeBufferPointer(start: key, count: size))
}
