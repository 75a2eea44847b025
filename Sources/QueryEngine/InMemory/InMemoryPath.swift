import Storage

/// Follows a property path through objects in memory.
struct InMemoryPath {
  private(set) var subjects: [PredicateSubject]
  /// Whether a collection lies on the way or at the end.
  private(set) var isToMany = false
  /// The last property, when it is not marked for searches in its words.
  private var unsearchable: String?
  private let path: PropertyPath

  init(_ path: PropertyPath, from subject: PredicateSubject) throws {
    self.path = path
    subjects = [subject]
    var components = path.components[...]
    while let component = components.popFirst() {
      switch component {
      case .property(let name): try step(to: name)
      case .key(let key): subjects = subjects.map { Self.child($0, key: key) }
      case .index(let index): subjects = subjects.map { Self.child($0, index: index) }
      case .anyElement: subjects = subjects.flatMap(Self.children)
      case .operation(.allKeys):
        subjects = subjects.flatMap { subject -> [PredicateSubject] in
          guard case .entries(let entries) = subject else { return [] }
          return entries.map { .value(.string($0.key)) }
        }
        isToMany = true
      case .operation(.allValues): try flatten()
      case .operation(let operation):
        var property: String?
        if case .property(let name) = components.first {
          property = name
          components = components.dropFirst()
        }
        subjects = try subjects.map { .value(try aggregate(operation, $0, property)) }
      }
    }
    try flatten()
  }

  /// The values at the end; an object is a link.
  var values: [Value] {
    subjects.map { subject in
      switch subject {
      case .value(let value): value
      case .object(let object): object.predicateLink ?? .link(table: -1, row: -1)
      case .elements, .entries: .null
      }
    }
  }

  /// The values at the end, which a search for words reads.
  ///
  /// - Throws: `PredicateError` for a property that is not marked for such searches.
  var searchableValues: [Value] {
    get throws {
      if let unsearchable { throw PredicateError.notFullText(unsearchable) }
      return values
    }
  }

  private func error(_ reason: String) -> PredicateError {
    .invalidPredicate("Invalid keypath '\(path)': \(reason)")
  }

  /// Replaces collections by their elements.
  private mutating func flatten() throws {
    var flat: [PredicateSubject] = []
    for subject in subjects {
      switch subject {
      case .elements, .entries:
        isToMany = true
        flat += Self.children(subject)
      case .value, .object: flat.append(subject)
      }
    }
    subjects = flat
  }

  private mutating func step(to name: String) throws {
    try flatten()
    unsearchable = nil
    var next: [PredicateSubject] = []
    for subject in subjects {
      switch subject {
      case .object(let object):
        guard let found = object.predicateSubject(ofProperty: name) else {
          throw error("Property '\(name)' not found in object of type '\(object.predicateClassName)'")
        }
        next.append(found)
        unsearchable = object.predicateIsFullText(name) ? nil : "\(object.predicateClassName).\(name)"
      // A null link counts as null where the path leads to one value, and as nothing among several.
      case .value(.null): if !isToMany { next.append(subject) }
      default: throw error("Property '\(name)' does not belong to an object.")
      }
    }
    subjects = next
  }

  private static func children(_ subject: PredicateSubject) -> [PredicateSubject] {
    switch subject {
    case .elements(let elements): elements
    case .entries(let entries): entries.map(\.value)
    case .value(.list(let values)): values.map(PredicateSubject.value)
    case .value(.dictionary(let entries)): entries.map { .value($0.value) }
    case .value, .object: []
    }
  }

  private static func child(_ subject: PredicateSubject, key: String) -> PredicateSubject {
    switch subject {
    case .entries(let entries): entries.first { $0.key == key }?.value ?? .value(.null)
    case .value(.dictionary(let entries)): .value(entries.first { $0.key == key }?.value ?? .null)
    default: .value(.null)
    }
  }

  private static func child(_ subject: PredicateSubject, index: Int) -> PredicateSubject {
    let elements: [PredicateSubject]
    switch subject {
    case .elements(let found): elements = found
    case .value(.list(let values)): elements = values.map(PredicateSubject.value)
    default: return .value(.null)
    }
    let position = index < 0 ? elements.count + index : index
    return elements.indices.contains(position) ? elements[position] : .value(.null)
  }

  private func aggregate(
    _ operation: CollectionOperation, _ subject: PredicateSubject, _ property: String?
  ) throws -> Value {
    switch subject {
    case .elements, .entries: break
    case .value(.null) where operation == .count: return .int(0)
    case .value(.null): return .null
    default: throw error("collection operation '\(operation.rawValue)' must be applied to a collection")
    }
    let elements = Self.children(subject)
    let aggregate: AggregateOperation
    switch operation {
    case .minimum: aggregate = .minimum
    case .maximum: aggregate = .maximum
    case .sum: aggregate = .sum
    case .average: aggregate = .average
    case .count, .allKeys, .allValues: return .int(Int64(elements.count))
    }
    var result = ValueAggregate(aggregate, .mixed)
    for element in elements {
      let path = try InMemoryPath(PropertyPath(properties: property.map { [$0] } ?? []), from: element)
      for value in path.values { result.add(value) }
    }
    return result.result
  }
}
