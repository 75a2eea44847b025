public import Foundation
import Storage

extension Realm {
  /// What numbers mean in JSON where a property is a date. Texts are dates of ISO 8601, such as `2024-05-17T08:30:00Z`.
  public enum NumericDates: Sendable {
    /// Seconds since the beginning of 1970, as most programs write them.
    case secondsSince1970
    /// Thousandths of them, as JavaScript has them.
    case millisecondsSince1970
    /// Seconds since the beginning of 2001, as `JSONEncoder` writes dates when it is not told otherwise.
    case secondsSince2001
  }

  /// Creates an object for each object of a text of JSON: the elements of an array, or one after the other as in JSON Lines.
  ///
  ///     let json = try Data(contentsOf: url, options: .mappedIfSafe)
  ///     try realm.write {
  ///       try realm.importJSON(json, as: Hut.self, update: .modified)
  ///     }
  ///
  /// It does what `create(_:value:update:)` does with a dictionary for each: what is missing has the default value of the class in a
  /// new object, and stays as it is in one that is there; names that are no properties are passed over; links are objects, which are
  /// created or updated, too. Unlike `create`, it refuses what a property could only hold cut or as null, and rounds to
  /// doubles and floats only.
  ///
  /// Dates are texts or numbers, data is a text in base64, `ObjectId`s, `UUID`s and `Decimal128`s are texts, decimals also numbers.
  /// A property that holds any value takes texts, numbers, Booleans, null, arrays and objects as they are.
  ///
  /// Seven single values take half a microsecond to one, links and collections about as long as with `create`. Most objects are not made
  /// in memory: `init()` runs only for those that lack a value which new ones have, or whose key consists of several properties or comes
  /// from the file. What is written stays in memory until the transaction ends, so import very large texts in parts.
  ///
  /// - Parameters:
  ///   - json: UTF-8.
  ///   - type: The class of the objects.
  ///   - update: What happens with an object whose primary key is there already.
  ///   - numericDates: What numbers mean as dates.
  /// - Returns: How many objects there are in the text, those that they link to not counted.
  /// - Throws: `Realm.Error.invalidInput`, with the line, for what is no JSON, lies more than 100 arrays and objects deep, or does not
  ///   fit the class, and for a primary key that is there already when `update` is `.error`. The objects before it, and some that it
  ///   links to, have been created by then: let the error leave the block of `write`, which takes them back.
  ///
  /// Stops the program outside a write transaction, and when objects of a class without a primary key are to be updated.
  @discardableResult
  public func importJSON<T: Object>(
    _ json: Data, as type: T.Type, update: UpdatePolicy = .error,
    numericDates: NumericDates = .secondsSince1970
  ) throws -> Int {
    core.checkWrite()
    let classTable = core.classTable(type)
    if update != .error && !classTable.schema.hasPrimaryKey {
      trap(.noPrimaryKeyForUpdate(classTable.className))
    }
    return try json.withUnsafeBytes { bytes in
      var objects = JSONImport(bytes, core, classTable, update, numericDates)
      return try objects.run()
    }
  }
}
