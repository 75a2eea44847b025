import Storage

/// Looks up the names of property paths.
struct PathResolver {
  let catalogue: Catalogue
  let lookup: PropertyLookup

  /// Resolves a path that starts at a table's rows.
  func resolve(_ path: PropertyPath, table: Int) throws -> ResolvedPath {
    var walk = Walk(path, table: table, self)
    return try walk.run()
  }

  func property(_ name: String, table: Int, path: String) throws -> PropertyReference {
    if let found = lookup(table, name) { return found }
    let className = catalogue.tables[table].name
    throw PredicateError.invalidPredicate(
      "Invalid keypath '\(path)': Property '\(name)' not found in object of type '\(className)'"
    ).missing(name, of: className)
  }

  /// One pass along the components of a path.
  private struct Walk {
    let resolver: PathResolver
    let components: [PropertyPath.Component]
    let text: String
    var table: Int
    var position = 0
    var steps: [ResolvedPath.Step] = []

    init(_ path: PropertyPath, table: Int, _ resolver: PathResolver) {
      self.resolver = resolver
      self.table = table
      components = path.components
      text = path.description
    }

    private var className: String { resolver.catalogue.tables[table].name }
    private var isAtEnd: Bool { position == components.count }

    private func error(_ message: String) -> PredicateError {
      .invalidPredicate("Invalid keypath '\(text)': \(message)")
    }

    private func path(_ end: ResolvedPath.End, _ name: String, type: ValueType) -> ResolvedPath {
      ResolvedPath(text: text, steps: steps, end: end, propertyName: name, className: className, type: type)
    }

    mutating func run() throws -> ResolvedPath {
      if components.isEmpty {
        var result = path(.scalar(.row(table: table)), "SELF", type: .link)
        result.target = table
        return result
      }
      while true {
        guard case .property(let name) = components[position] else {
          throw misplaced(components[position])
        }
        position += 1
        switch try resolver.property(name, table: table, path: text) {
        case .backlinks(let origin, let column):
          if let result = try toMany(.backlinks(table: origin, column: column), name) { return result }
        case .column(let column):
          let description = resolver.catalogue.tables[table].columns[column]
          if description.collection != .none {
            if let result = try collection(column, description, name) { return result }
          } else if let result = try scalar(column, description, name) {
            return result
          }
        }
      }
    }

    private func misplaced(_ component: PropertyPath.Component) -> PredicateError {
      switch component {
      case .operation(.allKeys): error("@allKeys must follow a dictionary property.")
      case .operation(.allValues): error("@allValues must follow a dictionary property.")
      case .operation(let operation):
        error("collection operation '\(operation.rawValue)' must be applied to a collection")
      case .key, .index, .anyElement, .property:
        error("only dictionaries and realm `Any` support subscript predicates.")
      }
    }

    /// Goes on at the rows that a property links to. Predicates are as deep as the path is long.
    private mutating func follow(_ step: ResolvedPath.Step, to target: Int) throws -> ResolvedPath? {
      if steps.count == ResolvedPath.linkLimit {
        throw PredicateError.invalidPredicate(
          "Invalid keypath '\(text.prefix(80))…': it follows more than \(ResolvedPath.linkLimit) links.")
      }
      steps.append(step)
      table = target
      return nil
    }

    // MARK: A property of one value

    private mutating func scalar(_ column: Int, _ description: Column, _ name: String) throws -> ResolvedPath?
    {
      var result = path(.scalar(.column(column, description.type)), name, type: description.type)
      result.target = description.target
      result.isNullable = description.isNullable || description.type == .link || description.type == .mixed
      result.isFullText = description.isFullText
      if isAtEnd { return result }
      switch components[position] {
      case .property:
        guard description.type == .link else {
          throw error(
            "Property '\(className).\(name)' is not a link or collection and can only appear at the end of a keypath."
          )
        }
        return try follow(.link(column: column, target: description.target), to: description.target)
      case .operation(let operation):
        if operation == .allKeys || operation == .allValues || description.type == .link {
          throw misplaced(components[position])
        }
        throw error(
          "Property '\(className).\(name)' is not a link or collection and can only appear at the end of a keypath."
        )
      case .key, .index, .anyElement:
        guard description.type == .mixed else { throw misplaced(components[position]) }
        return try nested(column, name)
      }
    }

    /// Subscripts behind a mixed property.
    private mutating func nested(_ column: Int, _ name: String) throws -> ResolvedPath {
      var nestedSteps: [NestedStep] = []
      var hasWildcard = false
      while !isAtEnd {
        switch components[position] {
        case .key(let key): nestedSteps.append(.key(key))
        case .index(let index): nestedSteps.append(.index(index))
        case .anyElement:
          nestedSteps.append(.anyElement)
          hasWildcard = true
        case .property, .operation:
          throw PredicateError.invalidPredicate(
            "Property '\(className).\(name)' is not a link or collection and can only appear at the end of a keypath."
          )
        }
        position += 1
      }
      return path(
        hasWildcard ? .nestedAny(column: column, nestedSteps) : .scalar(.nested(column: column, nestedSteps)),
        name, type: .mixed)
    }

    // MARK: Collections

    private mutating func collection(
      _ column: Int, _ description: Column, _ name: String
    ) throws -> ResolvedPath? {
      if description.type == .link {
        if let special = try mapSpecial(column, description, name) { return special }
        return try toMany(.collection(column: column, target: description.target), name)
      }
      if let special = try mapSpecial(column, description, name) { return special }
      if isAtEnd {
        var result = path(.elements(column: column, .values(description.type)), name, type: description.type)
        result.isNullable = description.isNullable || description.type == .mixed
        return result
      }
      guard case .operation(let operation) = components[position] else {
        if case .property = components[position] {
          throw error(
            "Property '\(className).\(name)' is not a link or collection and can only appear at the end of a keypath."
          )
        }
        throw misplaced(components[position])
      }
      position += 1
      if operation == .count {
        if !isAtEnd { throw error("@count must appear at the end of a keypath.") }
        return count(.elementCount(column: column), name)
      }
      if !isAtEnd {
        if case .operation = components[position] {
          throw error("at most one collection operation per keypath is supported.")
        }
        throw error("\(operation.rawValue) on a collection of values must appear at the end of a keypath.")
      }
      let aggregate = try self.aggregate(operation, description.type)
      var result = path(
        .scalar(.elementAggregate(column: column, aggregate, description.type)), name, type: description.type)
      result.operation = operation
      return result
    }

    /// Keys, values and subscripts of maps; nil for what all collections have.
    private mutating func mapSpecial(
      _ column: Int, _ description: Column, _ name: String
    ) throws -> ResolvedPath? {
      if isAtEnd { return nil }
      switch components[position] {
      case .operation(.allKeys):
        guard description.collection == .map else { throw misplaced(.operation(.allKeys)) }
        position += 1
        if !isAtEnd { throw error("@allKeys must appear at the end of a keypath.") }
        var result = path(.elements(column: column, .keys), name, type: .string)
        result.operation = .allKeys
        result.isNullable = false
        return result
      case .operation(.allValues):
        guard description.collection == .map else { throw misplaced(.operation(.allValues)) }
        position += 1
        return nil
      case .key(let key):
        guard description.collection == .map else { throw misplaced(.key(key)) }
        position += 1
        guard isAtEnd else {
          throw PredicateError(
            "Invalid subscript size",
            "Invalid subscript size '\(text)': nested dictionaries queries are only allowed in mixed properties."
          )
        }
        return path(.scalar(.mapValue(column: column, key: key, description.type)), name, type: .mixed)
      case .index, .anyElement:
        guard description.collection == .map else { throw misplaced(components[position]) }
        throw PredicateError(
          "Invalid subscript type",
          "Invalid subscript type '\(text)': only string keys are allowed as subscripts in dictionary queries."
        )
      case .property, .operation: return nil
      }
    }

    /// What follows a collection of links; nil when the path goes on through the rows that it leads to.
    private mutating func toMany(_ source: LinkSource, _ name: String) throws -> ResolvedPath? {
      if isAtEnd {
        let end: ResolvedPath.End =
          switch source {
          case .collection(let column, _): .elements(column: column, .values(.link))
          case .backlinks(let origin, let column): .backlinks(table: origin, column: column)
          }
        var result = path(end, name, type: .link)
        result.target = source.table
        return result
      }
      switch components[position] {
      case .property:
        return try follow(.links(source), to: source.table)
      case .operation(.count):
        position += 1
        if !isAtEnd { throw error("@count must appear at the end of a keypath.") }
        switch source {
        case .collection(let column, _): return count(.elementCount(column: column), name)
        case .backlinks(let origin, let column):
          return count(.backlinkCount(table: origin, column: column), name)
        }
      case .operation(let operation):
        position += 1
        return try targetAggregate(source, operation)
      case .key, .index, .anyElement: throw misplaced(components[position])
      }
    }

    private func count(_ source: ScalarSource, _ name: String) -> ResolvedPath {
      var result = path(.scalar(source), name, type: .int)
      result.operation = .count
      result.isNullable = false
      return result
    }

    private mutating func targetAggregate(
      _ source: LinkSource, _ operation: CollectionOperation
    ) throws -> ResolvedPath {
      guard !isAtEnd else {
        throw error("\(operation.rawValue) on a collection of objects cannot appear at the end of a keypath.")
      }
      guard case .property(let name) = components[position] else {
        throw error("at most one collection operation per keypath is supported.")
      }
      position += 1
      guard case .column(let column) = try resolver.property(name, table: source.table, path: text) else {
        throw error("\(operation.rawValue) must be followed by a numeric property.")
      }
      let description = resolver.catalogue.tables[source.table].columns[column]
      guard description.collection == .none, description.type.isNumeric || description.type == .date else {
        throw error("\(operation.rawValue) must be followed by a numeric property.")
      }
      if !isAtEnd {
        throw error(
          "\(description.type.name) property \(name) can only be followed by a collection operation.")
      }
      let aggregate = try self.aggregate(operation, description.type)
      var result = path(
        .scalar(.targetAggregate(source, aggregate, column: column, description.type)), name,
        type: description.type)
      result.operation = operation
      return result
    }

    private func aggregate(_ operation: CollectionOperation, _ type: ValueType) throws -> AggregateOperation {
      guard type.isNumeric || type == .date else {
        throw error("\(operation.rawValue) can only be applied to a collection of numeric values.")
      }
      switch operation {
      case .minimum: return .minimum
      case .maximum: return .maximum
      case .sum, .average:
        if type == .date {
          throw PredicateError("Unsupported predicate value type", "Cannot sum or average date properties")
        }
        return operation == .sum ? .sum : .average
      case .count, .allKeys, .allValues:
        throw error("Unsupported collection operation '\(operation.rawValue)'")
      }
    }
  }
}
