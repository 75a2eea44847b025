/// The stamps of the values of an object that was pulled, in the order of the properties.
///
/// Most objects have no stamps but that of their creation, and are read without an array of their own.
package struct PulledStamps: RandomAccessCollection, Sendable {
  private let creation: Stamp
  /// The numbers of the properties on the server, from 1.
  private let numbers: [Int]
  /// By the numbers of the properties; nil if none has a stamp of its own.
  private let written: [Stamp?]?

  /// - Parameter text: The array of the server as a text, such as `{65536,NULL}`; nil for null.
  package init(creation: Stamp, numbers: [Int], text: String?) {
    self.creation = creation
    self.numbers = numbers
    written = text.map { Self.stamps($0) }
  }

  /// Reads the elements of an array. What is no number is null, and what is below zero was never written.
  private static func stamps(_ text: String) -> [Stamp?] {
    var stamps: [Stamp?] = []
    var number: Int64?
    var isNegative = false
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        number = (number ?? 0) &* 10 &+ Int64(byte - UInt8(ascii: "0"))
      case UInt8(ascii: ","), UInt8(ascii: "}"):
        stamps.append(number.map { isNegative ? .never : Stamp(rawValue: $0) })
        (number, isNegative) = (nil, false)
      case UInt8(ascii: "-"): isNegative = true
      default: break
      }
    }
    return stamps
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { numbers.count }

  package subscript(index: Int) -> Stamp {
    guard let written, numbers[index] <= written.count else { return creation }
    return written[numbers[index] - 1] ?? creation
  }
}
