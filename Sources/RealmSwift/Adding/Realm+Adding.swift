// Adding and creating objects. All of this stops the program outside a write transaction.
extension Realm {
  /// Adds an object, and all that it links to: the object itself becomes the live one.
  ///
  ///     let rex = Dog(value: ["name": "Rex"])
  ///     try realm.write { realm.add(rex) }
  ///
  /// Adding an object of this realm does nothing. Stops the program when it belongs to another realm, was
  /// deleted, or its primary key is taken and `update` does not allow that.
  public func add(_ object: Object, update: UpdatePolicy = .error) {
    core.checkWrite()
    addOrUpdate(object, update)
  }

  /// Adds each of the objects.
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
      core.snapshot.deletingTogether { _ = core.add(object, policy: update) }
    }
  }

  /// Not available: says what to write instead.
  @available(*, unavailable, message: "Pass .error, .modified or .all rather than a Boolean.")
  public func add(_ object: Object, update: Bool) { fatalError() }

  /// Not available: says what to write instead.
  @available(*, unavailable, message: "Pass .error, .modified or .all rather than a Boolean.")
  public func add<S: Sequence>(_ objects: S, update: Bool) where S.Element: Object { fatalError() }

  /// Creates an object from a value: a dictionary of properties, an array of all of them in order, or another
  /// object. With a primary key that is taken, updates that object where `update` allows it, with as many
  /// properties as the value has.
  ///
  ///     try realm.write {
  ///       realm.create(Dog.self, value: ["id": dog.id, "age": 5], update: .modified)
  ///     }
  ///
  /// Stops the program when the value does not fit the class.
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type, value: Any = [:], update: UpdatePolicy = .error
  ) -> T {
    core.checkWrite()
    return unsafeDowncast(core.create(core.classTable(type), value: value, policy: update), to: T.self)
  }

  /// Creates an object of the class with a name; otherwise as `create(_:value:update:)`.
  ///
  /// Of a class that the program does not declare, properties that the value leaves out are null, or where they can not be as a
  /// declaration without a value has them: 0, false, empty, the present date, a new `ObjectId` or `UUID`. Primary keys of other
  /// types than these two must be given.
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
