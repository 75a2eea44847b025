import RealmSwift

/// What the page wants to paste, and where.
struct PasteRequest: Sendable {
  enum Place: Sendable {
    /// Each row becomes a new object of a class.
    case newObjects(className: String)
    /// The values replace those of objects that a view shows.
    case view(Int, position: Int)
    /// The values replace those of the objects in some rows of a class.
    case rows([Int], className: String)
  }

  let text: String
  /// Nil to recognise it.
  let format: PastedText.Format?
  /// Whether the first line has titles; nil to recognise it.
  let hasTitles: Bool?
  let place: Place
  /// The property of the first column; of new objects nil.
  let property: Int?
  /// The properties of the columns, nil for those that are left out; nil to match them by their titles.
  let columns: [Int?]?
  /// Checksum of the present values, from the preview; nil to replace them whatever they are.
  let target: String?

  /// - Throws: `StudioFault` with status 400.
  init(_ document: JSONValue) throws(StudioFault) {
    guard let text = document["text"]?.text else { throw StudioFault(400, "The request has no text 'text'.") }
    self.text = text
    format = try Self.format(document["format"])
    if case .bool(let flag)? = document["header"] { hasTitles = flag } else { hasTitles = nil }
    property = try Self.number(document, "property")
    target = document["target"]?.text
    columns = try Self.columns(document["columns"])
    if let view = try Self.number(document, "view") {
      place = .view(view, position: max(try Self.number(document, "position") ?? 0, 0))
    } else if let className = document["class"]?.text {
      if let rows = try Self.rows(document["rows"]) {
        place = .rows(rows, className: className)
      } else {
        place = .newObjects(className: className)
      }
    } else {
      throw StudioFault(400, "The request has neither 'class' nor 'view'.")
    }
    if case .newObjects = place { return }
    if property == nil && columns == nil {
      throw StudioFault(400, "The request has neither 'property' nor 'columns'.")
    }
  }

  /// Returns the values of the text.
  ///
  /// - Throws: `StudioFault` with status 422 that names the line of a mistake.
  func parsed() throws(StudioFault) -> PastedText {
    do {
      return try PastedText(text, format)
    } catch {
      throw StudioFault(error)
    }
  }

  private static func number(_ document: JSONValue, _ name: String) throws(StudioFault) -> Int? {
    switch document[name] {
    case nil, .null?: return nil
    case .int(let number)?: return Int(number)
    default: throw StudioFault(400, "'\(name)' is not a number.")
    }
  }

  private static func format(_ value: JSONValue?) throws(StudioFault) -> PastedText.Format? {
    guard let value, value != .null else { return nil }
    guard let format = value.text.flatMap({ PastedText.Format(rawValue: $0) }) else {
      throw StudioFault(400, "'format' is one of 'tsv', 'csv', 'json' and 'jsonl'.")
    }
    return format
  }

  private static func columns(_ value: JSONValue?) throws(StudioFault) -> [Int?]? {
    guard let value, value != .null else { return nil }
    guard case .array(let elements) = value else { throw StudioFault(400, "'columns' is not an array.") }
    var columns: [Int?] = []
    for element in elements {
      switch element {
      case .null: columns.append(nil)
      case .int(let number): columns.append(Int(number))
      default: throw StudioFault(400, "'columns' holds numbers and nulls.")
      }
    }
    return columns
  }

  private static func rows(_ value: JSONValue?) throws(StudioFault) -> [Int]? {
    guard let columns = try columns(value) else { return nil }
    var rows: [Int] = []
    for row in columns {
      guard let row else { throw StudioFault(400, "'rows' holds numbers.") }
      rows.append(row)
    }
    return rows
  }
}
