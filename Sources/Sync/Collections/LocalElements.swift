import Storage

/// The elements of a synchronised list, set or map: values, links, or embedded objects, each of which is one value of the server.
protocol LocalElements {
  /// The collection as if it were a property with one of its values.
  var content: LocalProperty { get }
  /// The table of the embedded objects that are its elements; nil for values and links.
  var documents: Int? { get }
}

extension LocalElements {
  /// Returns a value of the server as the file would have it, or what stands in the place of one that cannot be read.
  func readable(_ value: Value, in snapshot: Snapshot) -> Value {
    guard let documents else { return content.readable(value) }
    return EmbeddedDocument(snapshot).readable(value, table: documents)
  }

  /// Returns a value of the file as the server has it: with keys in the place of links, and documents in that of embedded objects.
  func serverValue(_ value: Value, in snapshot: Snapshot) -> Value {
    documents == nil
      ? content.serverValue(value, in: snapshot) : EmbeddedDocument(snapshot).value(value)
  }
}
