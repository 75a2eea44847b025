import Storage

/// What of an object, or of a collection's elements, an observer wants to know.
enum ObservedKeyPaths {
  /// Every property, and for collections also those of the objects that links lead to.
  case everything
  case paths([ObservedPath])
}

/// A key path as columns.
struct ObservedPath: Hashable {
  enum Step: Hashable {
    /// A property, with the table that it links to.
    case column(Int, target: Int?)
    /// Linking objects.
    case backlinks(table: Int, column: Int)
  }

  /// The property that the path begins with.
  var property: String
  var steps: [Step]
}

extension RealmCore {
  /// Looks up key paths; none, or an empty list, is everything. Stops the program when a property does not exist.
  func observedKeyPaths(_ keyPaths: [String]?, table: Int?) -> ObservedKeyPaths {
    guard let keyPaths, !keyPaths.isEmpty, let table else { return .everything }
    return .paths(observedPaths(keyPaths, table: table))
  }

  /// Looks up key paths of a class.
  func observedPaths(_ keyPaths: some Sequence<String>, table: Int) -> [ObservedPath] {
    stopping { () throws(ProgrammerError) in try observedPaths(checking: keyPaths, table: table) }
  }

  /// Looks up key paths of a class.
  ///
  /// - Throws: If a property does not exist.
  func observedPaths(
    checking keyPaths: some Sequence<String>, table: Int
  ) throws(ProgrammerError) -> [ObservedPath] {
    var paths: [ObservedPath] = []
    for keyPath in keyPaths { paths.append(try observedPath(keyPath, table: table)) }
    return paths
  }

  private func observedPath(_ keyPath: String, table: Int) throws(ProgrammerError) -> ObservedPath {
    let names = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let lookup = propertyLookup
    var steps: [ObservedPath.Step] = []
    var table: Int? = table
    for name in names {
      guard let number = table, let found = lookup(number, name) else {
        let className = table.map { snapshot.catalogue.tables[$0].name }
        throw .unknownObservedProperty(name, className: className ?? names[max(0, steps.count - 1)])
      }
      switch found {
      case .column(let column):
        let description = snapshot.catalogue.tables[number].columns[column]
        table = description.type == .link ? description.target : nil
        steps.append(.column(column, target: table))
      case .backlinks(let origin, let column):
        table = origin
        steps.append(.backlinks(table: origin, column: column))
      }
    }
    return ObservedPath(property: names[0], steps: steps)
  }
}
