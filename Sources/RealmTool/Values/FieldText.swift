import RealmSwift
import Storage

/// Reads single values from the bytes of a field, without allocating a text.
///
/// A result of nil means only that the text has no common form: `ValueText` reads all forms.
enum FieldText {
  /// Returns an integer of up to 18 decimal digits.
  @inline(__always)
  static func integer(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    let isNegative = bytes.first == UInt8(ascii: "-")
    let start = isNegative ? 1 : 0
    // More digits may not fit.
    guard start < bytes.count, bytes.count - start <= 18 else { return nil }
    var number: Int64 = 0
    for place in start..<bytes.count {
      let digit = bytes[place] &- UInt8(ascii: "0")
      if digit > 9 { return nil }
      number = number &* 10 &+ Int64(digit)
    }
    return isNegative ? -number : number
  }

  /// Returns a number in the syntax of JSON.
  @inline(__always)
  static func double(_ bytes: UnsafeRawBufferPointer) -> Double? {
    guard let first = bytes.first, first == UInt8(ascii: "-") || isDigit(first),
      let last = bytes.last, isDigit(last)
    else { return nil }
    for byte in bytes where byte > UInt8(ascii: "9") && byte | 32 != UInt8(ascii: "e") { return nil }
    var scanner = JSONScanner(bytes, at: 0, isComplete: true)
    guard let number = try? scanner.number(), scanner.position == bytes.count else { return nil }
    return number.double
  }

  /// Returns the value of `true` or `false`, also with a capital or all in capitals.
  static func bool(_ bytes: UnsafeRawBufferPointer) -> Bool? {
    for (text, flag) in words where bytes.elementsEqual(text) { return flag }
    return nil
  }

  private static let words: [([UInt8], Bool)] = [
    "true", "false", "True", "False", "TRUE", "FALSE",
  ].map { (Array($0.utf8), $0.lowercased() == "true") }

  static func isDigit(_ byte: UInt8) -> Bool { 48...57 ~= byte }

  /// Whether a text has 24 hexadecimal digits without capitals, as programs write object ids.
  static func isObjectId(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count == 24
      && bytes.allSatisfy { isDigit($0) || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 }
  }
}
