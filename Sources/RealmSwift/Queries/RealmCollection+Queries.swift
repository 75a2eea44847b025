public import Foundation
import QueryEngine
import Storage

// Filtering and sorting, for every kind of collection.
extension RealmCollection {
  /// A query on the collection; stops the program for a collection in memory.
  var _query: ResultsCore { _rlmOrigin.query(unmanagedName: Self._rlmUnmanagedName) }

  private var _objectQuery: ResultsCore {
    let query = _query
    if query.isOfValues {
      let noun = Self._rlmName == "MutableSet" ? "sets" : "arrays"
      trap("Querying is currently only implemented for \(noun) of Realm Objects")
    }
    return query
  }

  /// The objects for which a condition holds, which is made for the realm of the collection.
  func _filtered(_ condition: (RealmCore?) throws -> PredicateExpression) throws -> Results<Element> {
    let query = _objectQuery
    return Results(core: query.adding(.filter(try query.resolve(condition(query.realm)))))
  }

  /// Returns the objects that satisfy a typed condition, which the compiler checks.
  ///
  /// ```swift
  /// let small = huts.where { $0.beds < 20 && $0.name.starts(with: "S") }
  /// ```
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
    let node = isIncluded(Query<Element>.root).node
    return trapping {
      let query = _objectQuery
      let predicate = try query.plainPredicate(node) ?? query.resolve(node.expression(in: query.realm))
      return Results(core: query.adding(.filter(predicate)))
    }
  }

  /// Returns the objects that satisfy a condition in predicate syntax.
  ///
  /// ```swift
  /// let high = huts.filter("altitude > %@ AND name BEGINSWITH %@", 2_000, "B")
  /// ```
  ///
  /// Stops the program if the predicate is malformed; `filter(checking:_:)` throws instead.
  public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Element> {
    trapping { try _filtered(PredicateExpression.parsing(predicateFormat, args)) }
  }

  /// Returns the objects that satisfy a predicate: one from a format, a constant, or a compound of such
  /// predicates.
  ///
  /// Stops the program for any other predicate, and for a predicate that does not fit the objects.
  public func filter(_ predicate: NSPredicate) -> Results<Element> {
    trapping { try _filtered(predicate.expression) }
  }

  /// Returns the objects that satisfy a condition in predicate syntax. For text from outside the program: it
  /// throws where `filter(_:_:)` stops the program.
  ///
  /// ```swift
  /// let found = try huts.filter(checking: "beds > 10 AND altitude < 2000")
  /// ```
  ///
  /// - Throws: `Realm.Error` with the code `.invalidInput` if the predicate is malformed, with the position;
  ///   if it names an unknown property; or if it compares values of unsuitable types.
  public func filter(checking predicateFormat: String, _ args: [Any] = []) throws -> Results<Element> {
    try throwingInvalidInput { try _filtered(PredicateExpression.parsing(predicateFormat, args)) }
  }

  /// Returns the objects that satisfy a predicate that was created from text from outside the program.
  ///
  /// - Throws: `Realm.Error` with the code `.invalidInput` if the predicate names an unknown property,
  ///   compares values of unsuitable types, or is of an unsupported kind.
  public func filter(checking predicate: NSPredicate) throws -> Results<Element> {
    try throwingInvalidInput { try _filtered(predicate.expression) }
  }

  /// Returns the position of the first element that satisfies a typed condition, or nil.
  ///
  /// Elements of an unmanaged list can also be values; managed collections of values stop the program.
  public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
    trapping { try _index(matching: isIncluded(Query<Element>.root).node.expression) }
  }

  /// Returns the position of the first element that satisfies a condition in predicate syntax, or nil. `SELF`
  /// is an element that is a value.
  public func index(matching predicateFormat: String, _ args: Any...) -> Int? {
    trapping { try _index(matching: PredicateExpression.parsing(predicateFormat, args)) }
  }

  /// Returns the position of the first element that satisfies a predicate, or nil.
  public func index(matching predicate: NSPredicate) -> Int? {
    trapping { try _index(matching: predicate.expression) }
  }

  private func _index(matching condition: (RealmCore?) throws -> PredicateExpression) throws -> Int? {
    if case .unmanaged = _rlmOrigin.kind { return try condition(nil).firstIndex(in: self) }
    let query = _objectQuery
    let filtered = query.adding(.filter(try query.resolve(condition(query.realm))))
    return filtered.firstRow.flatMap { query.position(ofRow: $0) }
  }

  /// Returns the objects sorted by several properties.
  ///
  /// ```swift
  /// let sorted = huts.sorted(by: [SortDescriptor(keyPath: \Hut.altitude), SortDescriptor(keyPath: \Hut.name)])
  /// ```
  public func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Element>
  where S.Element == SortDescriptor {
    Results(core: _query.sorted(Array(sortDescriptors), elementType: Element._rlmKind.type))
  }

  /// Returns the objects sorted by a property, or by a property of an object that they link to.
  ///
  /// ```swift
  /// let byWarden = huts.sorted(byKeyPath: "warden.name")
  /// ```
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Element> {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// Returns the objects without those whose values of the given properties occurred before.
  public func distinct<S: Sequence>(by keyPaths: S) -> Results<Element> where S.Element == String {
    trapping {
      Results(core: try _query.distinctOrThrow(Array(keyPaths), elementType: Element._rlmKind.type))
    }
  }
}

extension RealmCollection where Element: ObjectBase {
  /// Returns the objects sorted by a property.
  ///
  /// ```swift
  /// let highest = huts.sorted(by: \.altitude, ascending: false).first
  /// ```
  public func sorted<T>(by keyPath: KeyPath<Element, T>, ascending: Bool = true) -> Results<Element>
  where T: _HasPersistedType, T.PersistedType: SortableType {
    sorted(byKeyPath: _name(for: keyPath), ascending: ascending)
  }

  /// Returns the objects without those whose values of the given properties occurred before.
  ///
  /// ```swift
  /// let oneOfEachKind = huts.distinct(by: [\Hut.kind])
  /// ```
  public func distinct(by keyPaths: [PartialKeyPath<Element>]) -> Results<Element> {
    distinct(by: keyPaths.map { _name(for: $0) })
  }
}

extension RealmCollection where Element: _HasPersistedType, Element.PersistedType: SortableType {
  /// Returns the values in order.
  public func sorted(ascending: Bool = true) -> Results<Element> {
    sorted(by: [SortDescriptor(keyPath: "self", ascending: ascending)])
  }

  /// Returns the values without repetitions.
  public func distinct() -> Results<Element> { distinct(by: ["self"]) }
}

extension _CollectionOrigin {
  /// A query on the elements; stops the program when they are in memory, naming the collection's class.
  func query(unmanagedName: String) -> ResultsCore {
    switch kind {
    case .query(let core): core
    case .stored(let stored): ResultsCore(stored)
    case .nested(let nested): ResultsCore(nested)
    case .unmanaged: UnmanagedCollection.notManaged(unmanagedName)
    }
  }
}

extension PredicateExpression {
  /// What makes a condition out of predicate syntax, for a realm.
  static func parsing(
    _ format: String, _ arguments: [Any]
  ) -> (RealmCore?) throws -> PredicateExpression {
    { realm in
      try PredicateExpression(format: format, arguments: arguments.map { try Argument($0, in: realm) })
    }
  }
}

/// The result of a query that the program wrote. Stops the program when it is wrong.
func trapping<Result>(_ body: () throws -> Result) -> Result {
  do {
    return try body()
  } catch let error as ProgrammerError {
    trap(error)
  } catch {
    trap("\(error)")
  }
}

/// The result of a query from outside the program.
///
/// - Throws: `Realm.Error` with the code `.invalidInput` when it is wrong.
func throwingInvalidInput<Result>(_ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch let error as PredicateError {
    throw Realm.Error(.invalidInput, error.message, path: nil, missing: error.missingProperty)
  }
}

extension ResultsCore {
  /// The elements of a collection.
  convenience init(_ backing: any CollectionBacking) {
    guard let stored = backing.stored else {
      self.init(
        realm: backing.realm, type: nil, source: .values { backing.isValid ? backing.values : [] },
        origin: .collection(backing.location))
      return
    }
    let classTable = stored.source.classTable
    if let classTable {
      self.init(
        realm: stored.realm, type: classTable.schema.type, dynamicTable: classTable.dynamicNumber,
        source: .rows { stored.isValid ? Array(stored.rows) : [] }, origin: .collection(stored.location))
    } else {
      self.init(
        realm: stored.realm, type: nil,
        source: .values { stored.isValid ? stored.table.elements(stored.column, stored.row) : [] },
        origin: .collection(stored.location))
    }
  }

  /// The predicate of a comparison of an own property with a constant, without the expression in between; nil for all
  /// others, and for what is wrong.
  func plainPredicate(_ node: QueryNode) -> Predicate? {
    guard case .comparison(.path(let path), let comparison, .constant(let constant), let options) = node,
      options.isEmpty, path.components.count == 1, !path.isToMany, !path.startsAtElement,
      case .property(let name) = path.components[0], let value = Argument.plain(constant)
    else { return nil }
    let classTable = classTable
    guard let index = classTable.schema.index(of: name) else { return nil }
    let column = classTable.columns[index]
    if column < 0 { return nil }
    return Predicate(
      column: column, ofTable: classTable.table.number, realm.snapshot.catalogue, comparison, value)
  }

  func resolve(_ expression: PredicateExpression, texts: TextConstants = .refused) throws -> Predicate {
    try QueryEngine.resolve(
      expression, table: classTable.table.number, catalogue: realm.snapshot.catalogue,
      lookup: realm.propertyLookup, texts: texts)
  }

  /// The elements in another order; `elementType` is what messages call plain values.
  func sorted(_ descriptors: [SortDescriptor], elementType: PropertyType) -> ResultsCore {
    trapping { try sortedOrThrow(descriptors, elementType: elementType) }
  }

  /// The elements in another order.
  ///
  /// - Throws: `PredicateError` or `ProgrammerError` if a key path leads to no property, or to one that has no order.
  func sortedOrThrow(_ descriptors: [SortDescriptor], elementType: PropertyType) throws -> ResultsCore {
    guard let first = descriptors.first else { return self }
    guard isOfValues else {
      return adding(.sort(try descriptors.map { try sortKey($0.keyPath, ascending: $0.ascending) }))
    }
    if descriptors.count > 1 {
      throw ProgrammerError.invalidSortKey(
        "Cannot sort array of '\(elementType.name)' on more than one key path")
    }
    try checkValueKey(first.keyPath, elementType: elementType)
    return adding(.sortValues(ascending: first.ascending))
  }

  /// The elements without those whose values of the properties occurred before.
  ///
  /// - Throws: `PredicateError` or `ProgrammerError` if a key path leads to no property that can be compared.
  func distinctOrThrow(_ keyPaths: [String], elementType: PropertyType) throws -> ResultsCore {
    if isOfValues {
      for keyPath in keyPaths { try checkValueKey(keyPath, elementType: elementType) }
      return adding(.distinctValues)
    }
    return adding(.distinct(try keyPaths.map { try distinctKey($0) }))
  }

  /// Throws unless a key of plain values is the values themselves.
  private func checkValueKey(_ keyPath: String, elementType: PropertyType) throws(ProgrammerError) {
    guard keyPath != "self" else { return }
    throw .invalidSortKey(
      "Cannot sort on key path '\(keyPath)': arrays of '\(elementType.name)' can only be sorted on 'self'")
  }

  private func distinctKey(_ keyPath: String) throws -> SortKey {
    if keyPath.contains("@") {
      throw ProgrammerError.invalidSortKey(
        "Cannot distinct on keypath '\(keyPath)': KVC collection operators are not supported.")
    }
    return try sortKey(keyPath, ascending: true)
  }

  private func sortKey(_ keyPath: String, ascending: Bool) throws -> SortKey {
    try SortKey(
      keyPath: keyPath, isAscending: ascending, table: classTable.table.number,
      catalogue: realm.snapshot.catalogue, lookup: realm.propertyLookup)
  }
}
