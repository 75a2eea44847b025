import Storage

// Why an access by number was refused. The fast checks only tell that something is wrong; these repeat them one by one.
extension NumberedRealm {
  var damageRefusal: Refusal { Self.refusal(of: damage, core) }

  static func refusal(of damage: FoundDamage, _ core: RealmCore) -> Refusal {
    Refusal(.damaged, damage.error?.message ?? "The file is damaged.", path: core.configuration.path)
  }

  /// The name of a class that there is, for messages.
  func className(_ number: Int) -> String { core.snapshot.catalogue.tables[number].name }

  /// A property in messages, with its class.
  func name(_ number: Int, _ column: Int) -> String {
    let schema = core.dynamicClassTable(number).schema
    let property = schema.properties.first { $0.column == column }?.name
    return "'\(schema.className).\(property ?? core.snapshot.catalogue.tables[number].columns[column].name)'"
  }

  /// The reason why a single value could not be read or written.
  @inline(never)
  func refusal(_ object: NumberedObject, _ column: Int, _ type: ValueType) -> Refusal {
    do throws(Refusal) {
      let kind = try checkedColumn(object.classNumber, column)
      if kind.single != type.rawValue {
        return wrongType(object.classNumber, column, asked: PropertyType(type).name)
      }
      let table = try checkedTable(of: object)
      if kind.isNullable && table.isNull(column, object.row) {
        try checkDamage()
        return Refusal(.isNull, "The value of property \(name(object.classNumber, column)) is null.")
      }
      return damageRefusal
    } catch {
      return error
    }
  }

  /// The reason why a value could not be written.
  @inline(never)
  func refusal(writing object: NumberedObject, _ column: Int, _ type: ValueType) -> Refusal {
    do throws(Refusal) {
      let kind = try checkedColumn(object.classNumber, column)
      if kind.single != type.rawValue {
        return wrongType(object.classNumber, column, asked: PropertyType(type).name)
      }
      _ = try checkedTable(of: object)
      try checkWrite()
      if kind.isPrimaryKey { return changesKey }
      return damageRefusal
    } catch {
      return error
    }
  }

  var changesKey: Refusal { Refusal(.primaryKey, ProgrammerError.primaryKeyChanged.message) }

  func wrongType(_ number: Int, _ column: Int, asked: String) -> Refusal {
    let stored = core.snapshot.catalogue.tables[number].columns[column]
    let type = PropertyType(stored.type).name
    let held =
      switch stored.collection {
      case .none: "a value of type '\(type)'"
      case .list: "a list of values of type '\(type)'"
      case .set: "a set of values of type '\(type)'"
      case .map: "a map of values of type '\(type)'"
      }
    return Refusal(
      .wrongType, "Property \(name(number, column)) holds \(held), and not one of type '\(asked)'.")
  }
}
