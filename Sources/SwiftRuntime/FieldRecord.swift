/// What a class's descriptor says of a property that the class stores.
///
/// A class's descriptor has at 16 the distance to them: two distances, and at 8, 10 and 12 their kind, the size of each in
/// 2 bytes and their count. They begin at 16: flags, and the distances to the name of the type and to that of the property
/// (swift/include/swift/ABI/Metadata.h, TargetTypeContextDescriptor; swift/include/swift/RemoteInspection/Records.h).
///
/// Checked with classes whose properties are known. Otherwise the runtime has to tell every type, for which it looks
/// through the conformances of all libraries.
struct FieldRecord {
  let name: String
  let type: MangledTypeName

  static let isKnown = RuntimeFact.fieldRecords.isSo { ClassMetadata.isKnown && Probe.isAsDescribed }

  /// Those of all properties that objects of a class store, those of superclasses first.
  static func all(of type: AnyClass) -> [FieldRecord] {
    let inherited = _getSuperclass(type).map { all(of: $0) } ?? []
    // A library may have been compiled without.
    guard let descriptor = ClassMetadata.descriptor(of: type),
      descriptor.load(fromByteOffset: 16, as: Int32.self) != 0
    else { return inherited }
    let fields = (descriptor + 16).relativeAddress
    let (size, count) = (
      fields.load(fromByteOffset: 10, as: UInt16.self), fields.load(fromByteOffset: 12, as: UInt32.self)
    )
    return inherited
      + (0..<Int(count)).map { number in
        let record = fields + 16 + number * Int(size)
        return FieldRecord(
          name: String(cString: (record + 8).relativeAddress.assumingMemoryBound(to: CChar.self)),
          type: MangledTypeName(start: (record + 4).relativeAddress))
      }
  }

  private class Probe {
    let first: UInt8 = 1
    let second = [7]

    static var isAsDescribed: Bool {
      let records = FieldRecord.all(of: LongerProbe.self)
      guard records.map(\.name) == ["first", "second", "third", "fourth"] else { return false }
      var types = records.map(\.type)
      guard let byte = types[0].takeDescriptor(), byte == TypeDescriptor.address(of: UInt8.self),
        types[1].take("SaySiG"), types[2].take("SS"), let probe = types[3].takeDescriptor(),
        probe == ClassMetadata.descriptor(of: Probe.self), types[3].take("Sg")
      else { return false }
      return types.allSatisfy(\.isAtEnd)
    }
  }

  private final class LongerProbe: Probe {
    let third = ""
    let fourth: Probe? = nil
  }
}

extension UnsafeRawPointer {
  /// The address whose distance from here is stored here.
  var relativeAddress: UnsafeRawPointer { self + Int(load(as: Int32.self)) }
}
