import Foundation
import TestSupport
import Testing

@testable import RealmSwift

class BoxedNumberHolder: Hidden {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var int = 0
  @Persisted var tiny: Int8?
  @Persisted var double = 0.0
  @Persisted var decimal: Decimal128?
  @Persisted var flag: Bool?
  @Persisted var mixed: AnyRealmValue
  @Persisted var ints: List<Int>
  @Persisted var mixedList: List<AnyRealmValue>
}

/// Numbers of Foundation's: an `NSNumber` of an `Int8` has the Objective-C type of one of a `Bool`.
@Suite struct BoxedNumberTests {
  let scratch: ScratchRealm
  var realm: Realm { scratch.realm }
  init() throws { scratch = try ScratchRealm(opening: [BoxedNumberHolder.self]) }

  private static let bytes: [Int8] = [.min, -2, -1, 0, 1, 2, 64, .max]

  /// All that may be given to a property, for a whole number.
  private static func boxes(_ byte: Int8) -> [NSNumber] {
    [
      NSNumber(value: byte), NSNumber(value: Int16(byte)), NSNumber(value: Int(byte)),
      byte as NSNumber, (byte as AnyObject) as! NSNumber, NSNumber(value: Int64(byte)),
    ]
  }

  @Test(arguments: bytes) func numbersStayNumbers(byte: Int8) throws {
    let number = Int(byte)
    for box in Self.boxes(byte) {
      let holder = try realm.write {
        realm.create(
          BoxedNumberHolder.self,
          value: [
            "id": 1, "int": box, "tiny": box, "double": box, "decimal": box, "mixed": box, "ints": [box],
            "mixedList": [box, [box], ["a": box]] as [Any],
          ] as [String: Any], update: .all)
      }
      #expect(holder.int == number && holder.tiny == byte && holder.double == Double(number))
      #expect(holder.decimal == Decimal128(value: number))
      #expect(
        holder.mixed == .int(number) && holder.ints.first == number && holder.mixedList.first == .int(number))
      #expect(holder.mixedList[1].listValue?.first == .int(number))
      #expect(holder.mixedList[2].dictionaryValue?["a"] == .int(number))
      try realm.write { for key in ["int", "tiny", "double", "mixed"] { holder.setValue(box, forKey: key) } }
      #expect(holder.int == number && holder.tiny == byte && holder.double == Double(number))
      #expect(holder.mixed == .int(number))
      let dynamic = realm.dynamicObject(ofType: "BoxedNumberHolder", forPrimaryKey: 1)!
      try realm.write { (dynamic["int"], dynamic["mixed"]) = (box, box) }
      #expect(holder.int == number && holder.mixed == .int(number))
      let memory = BoxedNumberHolder(value: ["int": box, "mixed": box])
      #expect(memory.int == number && memory.mixed == .int(number))
      let all = realm.objects(BoxedNumberHolder.self)
      for condition in [
        "int == %@", "tiny == %@", "double == %@", "decimal == %@", "mixed == %@", "ANY ints == %@",
      ] {
        #expect(all.filter(condition, box).count == 1, "\(condition) \(box)")
        #expect(all.filter(NSPredicate(format: condition, box)).count == 1, "\(condition) \(box)")
      }
      #expect(all.filter("int IN %@", [box]).count == 1)
      #expect(Coercion.natural(box) == .int(Int64(byte)))
      let isFlag = Coercion.scalar(box, .bool)
      #expect(isFlag == (number == 0 ? .bool(false) : number == 1 ? .bool(true) : nil))
    }
  }

  /// However a Boolean was boxed.
  @Test(arguments: [true, false]) func flagsStayFlags(flag: Bool) throws {
    let json = try JSONSerialization.jsonObject(with: Data("[\(flag)]".utf8)) as! [Any]
    for box in [NSNumber(value: flag), flag as NSNumber, flag as AnyObject, json[0]] as [Any] {
      let holder = try realm.write {
        realm.create(
          BoxedNumberHolder.self, value: ["id": 1, "flag": box, "mixed": box, "int": box] as [String: Any],
          update: .all)
      }
      #expect(holder.flag == flag && holder.mixed == .bool(flag) && holder.int == (flag ? 1 : 0))
      let all = realm.objects(BoxedNumberHolder.self)
      #expect(all.filter("flag == %@ AND mixed == %@", box, box).count == 1)
      #expect(Coercion.natural(box) == .bool(flag))
    }
  }

  @Test func aNumberIsNoFlag() async {
    for number in [NSNumber(value: Int8(64)), NSNumber(value: Int8(-1))] {
      #expect(Coercion.scalar(number, .bool) == nil)
      #expect(Bool._rlmCoerce(number) == nil)
    }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = BoxedNumberHolder(value: ["flag": NSNumber(value: Int8(64))])
    }
    expectStop(result, saying: "Invalid value '64'", "for 'bool?' property 'BoxedNumberHolder.flag'.")
  }
}
