/// What a class's descriptor says of a property that the class stores.
///
/// The records that a descriptor leads to begin with two distances, and at 8, 10 and 12 their kind, the size of each in 2
/// bytes and their count in 4. The first is at 16: flags, and the distances to the name of the type and to that of the
/// property (swift/include/swift/RemoteInspection/Records.h).
///
/// Checked with classes whose properties are known, looking only at memory that is the program's. Otherwise the runtime has
/// to tell every type, for which it looks through the conformances of all libraries.
struct FieldRecord {
  let name: String
  let type: MangledTypeName

  static let isKnown = RuntimeFact.fieldRecords.isSo { ClassMetadata.isKnown && Probe.isAsDescribed }

  /// Returns the records of all properties that objects of a class store, those of superclasses first.
  static func all(of type: AnyClass) -> [FieldRecord] {
    let inherited = _getSuperclass(type).map { all(of: $0) } ?? []
    guard let fields = ClassMetadata.descriptor(of: type).flatMap({ TypeDescriptor.fields($0) }) else {
      return inherited
    }
    return inherited
      + (0..<count(fields)).map { number in
        let record = record(fields, number)
        return FieldRecord(
          name: String(cString: name(record).assumingMemoryBound(to: CChar.self)),
          type: MangledTypeName(start: typeName(record)))
      }
  }

  private static func count(_ fields: UnsafeRawPointer) -> Int {
    Int(fields.load(fromByteOffset: 12, as: UInt32.self))
  }
  private static func record(_ fields: UnsafeRawPointer, _ number: Int) -> UnsafeRawPointer {
    fields + 16 + number * Int(fields.load(fromByteOffset: 10, as: UInt16.self))
  }
  private static func typeName(_ record: UnsafeRawPointer) -> UnsafeRawPointer {
    (record + 4).relativeAddress
  }
  private static func name(_ record: UnsafeRawPointer) -> UnsafeRawPointer { (record + 8).relativeAddress }

  // MARK: Trying it

  private class Probe {
    let first: UInt8 = 1
    let second = [7]

    static var isAsDescribed: Bool {
      guard isWithinReach(Probe.self, 2), isWithinReach(LongerProbe.self, 2) else { return false }
      let records = FieldRecord.all(of: LongerProbe.self)
      guard records.map(\.name) == ["first", "second", "third", "fourth"] else { return false }
      var types = records.map(\.type)
      guard let byte = types[0].takeDescriptor(), byte == TypeDescriptor.address(of: UInt8.self),
        types[1].take("SaySiG"), types[2].take("SS"), let probe = types[3].takeDescriptor(),
        probe == ClassMetadata.descriptor(of: Probe.self), types[3].take("Sg"),
        types.allSatisfy(\.isAtEnd)
      else { return false }
      return TypeDescriptor.plainClass(probe) == Probe.self
        && TypeDescriptor.address(of: GenericProbe<Int>.self).map { TypeDescriptor.isGeneric($0) } == true
    }

    /// Whether all that leads to the names of a class's properties lies in the program.
    private static func isWithinReach(_ type: AnyClass, _ fieldCount: Int) -> Bool {
      guard let descriptor = ClassMetadata.descriptor(of: type),
        let image = LoadedImage.containing(descriptor, 24),
        image.containsCode(TypeDescriptor.accessor(descriptor)),
        let fields = TypeDescriptor.fields(descriptor), image.contains(fields, 16),
        FieldRecord.count(fields) == fieldCount
      else { return false }
      return (0..<fieldCount).allSatisfy { number in
        let record = record(fields, number)
        return image.contains(record, 12) && image.contains(name(record), 8)
          && image.contains(typeName(record), 8)
      }
    }
  }

  private final class LongerProbe: Probe {
    let third = ""
    let fourth: Probe? = nil
  }

  private final class GenericProbe<Value> {}
}
