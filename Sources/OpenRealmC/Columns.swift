import COpenRealm
import RealmSwift

// columns.h: many values of one property at once.

@c @implementation public func openrealm_column(
  _ objects: OpaquePointer?, _ property: Int32, _ start: Int, _ count: Int,
  _ values: UnsafeMutableRawPointer?, _ validity: UnsafeMutablePointer<UInt8>?
) -> Int32 {
  code { () throws(Refusal) in
    guard let values else { throw .null }
    try CollectionHandle.with(objects) { known throws(Refusal) in
      try known.numbered.copyColumn(
        Int(property), from: start, count: count, to: values, validity: validity)
    }
  }
}
