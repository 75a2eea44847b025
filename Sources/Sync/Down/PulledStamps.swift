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
    written = text.map { text in
      text.dropFirst().dropLast().utf8.split(separator: UInt8(ascii: ",")).map { element in
        Int64(Substring(element)).map { Stamp(rawValue: $0) }
      }
    }
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { numbers.count }

  package subscript(index: Int) -> Stamp {
    guard let written, numbers[index] <= written.count else { return creation }
    return written[numbers[index] - 1] ?? creation
  }
}
