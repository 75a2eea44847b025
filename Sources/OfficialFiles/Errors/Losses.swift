/// What is left out when a damaged file is salvaged. A reader without losses throws at the first damage instead.
package final class Losses {
  package enum Kind: Hashable, Sendable {
    /// A class with its schema and all of its objects.
    case classes
    /// A property with its values in all objects.
    case properties
    /// Objects with all of their values.
    case objects
    /// The values of a property in some objects: they are zero, empty or null.
    case values
    /// Elements of collections.
    case elements
    /// The name of a class, which has another one.
    case names
    case schemaVersion
    /// The primary key of a class: its values stay, and are not unique.
    case primaryKeys
  }

  package struct Loss: Hashable, Sendable {
    package let kind: Kind
    package let className: String?
    package let property: String?
    /// What is wrong.
    package let what: String
    /// The byte of the (decrypted) file at which the damaged node begins.
    package let offset: Int?
  }

  /// The number of what is lost at each position, nil where the file does not tell any more. Reading a place again does not count it twice.
  private var counts: [Loss: [Int: Int?]] = [:]
  /// In the order in which they were found.
  package private(set) var all: [Loss] = []

  package init() {}

  /// Returns the number of what is lost; nil where the file does not tell any more.
  package func count(of loss: Loss) -> Int? {
    var sum = 0
    for count in (counts[loss] ?? [:]).values {
      guard let count else { return nil }
      sum += count
    }
    return sum
  }

  package var isEmpty: Bool { all.isEmpty }

  package func add(
    _ kind: Kind, _ className: String?, _ property: String? = nil, _ what: String, count: Int? = nil
  ) {
    add(Loss(kind: kind, className: className, property: property, what: what, offset: nil), count, at: 0)
  }

  /// - Parameter position: Tells several losses with the same damaged node apart.
  func add(_ kind: Kind, _ place: Place, _ damage: Damage, count: Int?, at position: Int = 0) {
    add(
      Loss(
        kind: kind, className: place.className, property: place.property, what: damage.what,
        offset: damage.offset),
      count, at: position)
  }

  private func add(_ loss: Loss, _ count: Int?, at position: Int) {
    if counts[loss] == nil { all.append(loss) }
    counts[loss, default: [:]].updateValue(count, forKey: position)
  }

  /// Returns what a body reads; notes damage and returns nil. Other errors are thrown.
  func noting<Result>(
    _ kind: Kind, _ place: Place, count: Int?, at position: Int = 0, _ body: () throws -> Result
  ) throws -> Result? {
    do {
      return try body()
    } catch let damage as Damage {
      add(kind, place, damage, count: count, at: position)
      return nil
    } catch let unsupported as Unsupported {
      add(kind, place, Damage(unsupported.what), count: count, at: position)
      return nil
    } catch let error as OfficialFileError {
      guard case .damaged(let damaged) = error.reason else { throw error }
      add(kind, place, Damage(damaged.what, at: damaged.offset), count: count, at: position)
      return nil
    }
  }
}

extension Losses.Loss {
  /// A sentence without the number of what is lost.
  fileprivate func subject(_ count: Int?) -> String {
    func numbered(_ one: String, _ many: String) -> String {
      count.map { "\($0) \($0 == 1 ? one : many)" } ?? many
    }
    return switch kind {
    case .classes: "the class and its objects"
    case .properties: "the property with its values"
    case .objects: numbered("object", "objects")
    case .values: numbered("value", "values")
    case .elements: numbered("element", "elements of collections")
    case .names: "the name"
    case .schemaVersion: "the schema version"
    case .primaryKeys: "the primary key"
    }
  }
}

extension Losses {
  /// Returns a sentence for a loss: where it is, what is lost, and why.
  package func description(of loss: Loss) -> String {
    var text = ""
    if let className = loss.className { text = "\(className)\(loss.property.map { ".\($0)" } ?? ""): " }
    text += "lost \(loss.subject(count(of: loss))): \(loss.what)"
    if let offset = loss.offset { text += " (byte \(offset))" }
    return text
  }
}

extension Losses? {
  /// Returns what a body reads. Without losses damage is thrown; with them it is noted, and nil returned.
  func noting<Result>(
    _ kind: Losses.Kind, _ place: Place, count: Int?, at position: Int = 0, _ body: () throws -> Result
  ) throws -> Result? {
    guard let losses = self else { return try body() }
    return try losses.noting(kind, place, count: count, at: position, body)
  }
}
