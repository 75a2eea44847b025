// Adding and creating objects. All of this stops the program outside a write transaction.
extension Realm {
  /// Adds an object and all objects that it links to. The objects become managed by the realm.
  ///
  /// ```swift
  /// let eyrie = Hut(value: ["name": "Eyrie", "beds": 12])
  /// try realm.write { realm.add(eyrie) }
  /// ```
  ///
  /// Adding an object of this realm has no effect. Stops the program if the object belongs to another realm,
  /// was deleted, or has a primary key that is taken while `update` is `.error`.
  public func add(_ object: Object, update: UpdatePolicy = .error) {
    core.checkWrite()
    addOrUpdate(object, update)
  }

  /// Adds each object of a sequence, as `add(_:update:)` with an object does.
  public func add<S: Sequence>(_ objects: S, update: UpdatePolicy = .error) where S.Element: Object {
    core.checkWrite()
    for object in objects {
      addOrUpdate(object, update)
    }
  }

  private func addOrUpdate(_ object: Object, _ update: UpdatePolicy) {
    if update == .error {
      core.add(object, policy: update)
    } else {
      checkCanUpdate(type(of: object))
      // What the present content owns goes when the object has the new one.
      core.writer.deletingTogether { _ = core.add(object, policy: update) }
    }
  }

  /// Not available: says what to write instead.
  @available(*, unavailable, message: "Pass .error, .modified or .all rather than a Boolean.")
  public func add(_ object: Object, update: Bool) { fatalError() }

  /// Not available: says what to write instead.
  @available(*, unavailable, message: "Pass .error, .modified or .all rather than a Boolean.")
  public func add<S: Sequence>(_ objects: S, update: Bool) where S.Element: Object { fatalError() }

  /// Creates an object from a value and returns it: a dictionary of properties, an array of all properties in
  /// order, or another object.
  ///
  /// ```swift
  /// try realm.write {
  ///   realm.create(Hut.self, value: ["id": hut.id, "beds": 30], update: .modified)
  /// }
  /// ```
  ///
  /// If the primary key is taken and `update` allows it, updates the existing object instead (upsert): only
  /// the properties that the value contains are set. Stops the program if the value does not fit the class,
  /// or if the primary key is taken and `update` is `.error`.
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type, value: Any = [:], update: UpdatePolicy = .error
  ) -> T {
    core.checkWrite()
    return unsafeDowncast(core.create(core.classTable(type), value: value, policy: update), to: T.self)
  }

  /// Creates an object of a class given by name, as `create(_:value:update:)` does.
  ///
  /// For a class that the program does not declare, a property that the value omits is null. If it cannot be
  /// null, it gets the default of a declaration without a value: 0, false, empty, the current date, a new
  /// `ObjectId` or `UUID`. Primary keys of other types than these two must be given.
  @discardableResult
  public func dynamicCreate(
    _ typeName: String, value: Any = [:], update: UpdatePolicy = .error
  ) -> DynamicObject {
    core.dynamicCreate(typeName, value: value, policy: update)
  }

  private func checkCanUpdate(_ type: Object.Type) {
    if core.hasPrimaryKey(type) { return }
    trap(.noPrimaryKeyForUpdate(ClassSchema.of(type).className))
  }
}
