import COpenRealm
package import RealmSwift

// Invariants of handles:
// - The pointer that C has is that of an instance of a subclass of `Handle`, for which C owns one reference for each time
//   that the library returned it, or `openrealm_retain` did.
// - The first stored property is the mark, behind the two words that every Swift object begins with. It is read through the
//   pointer before the pointer is taken for an object, so that a handle of another kind is refused. It is overwritten when
//   the object is freed, so that many uses of a freed handle are refused too.

/// The kinds of handles, as the numbers that they are recognised by in memory.
enum HandleMark: UInt64 {
  case realm = 0x4F70_656E_5265_0001
  case schema = 0x4F70_656E_5265_0002
  case configuration = 0x4F70_656E_5265_0003
  case collection = 0x4F70_656E_5265_0004
  case token = 0x4F70_656E_5265_0005
  case migration = 0x4F70_656E_5265_0006
}

/// The object behind a pointer that C has.
class Handle {
  private final var mark: UInt64

  init(_ mark: HandleMark) { self.mark = mark.rawValue }

  deinit { mark = 0 }

  /// The offset of the mark in an object, in bytes.
  fileprivate static var offsetOfMark: Int { 16 }

  /// A new reference to the handle, which belongs to C.
  final var pointer: OpaquePointer { OpaquePointer(Unmanaged.passRetained(self).toOpaque()) }
}

/// A kind of handle that functions of the interface take.
protocol MarkedHandle: Handle {
  static var mark: HandleMark { get }
}

extension MarkedHandle {
  /// Calls a closure with the object behind a pointer, without counting a reference: for what calls no function of the
  /// program, which could release the handle (see `holding`).
  ///
  /// Throws `badArgument` for NULL and for handles of another kind.
  @inline(__always)
  static func with<Result>(
    _ pointer: OpaquePointer?, _ body: (Self) throws(Refusal) -> Result
  ) throws(Refusal) -> Result {
    guard let pointer else { throw .null }
    let address = UnsafeRawPointer(pointer)
    guard
      UInt(bitPattern: address) & 7 == 0,
      address.load(fromByteOffset: Handle.offsetOfMark, as: UInt64.self) == mark.rawValue
    else { throw .otherHandle }
    let known = Unmanaged<Self>.fromOpaque(address)
    // `_withUnsafeGuaranteedRef` does not take closures with typed errors.
    let outcome = known._withUnsafeGuaranteedRef { known -> Swift.Result<Result, Refusal> in
      do throws(Refusal) { return .success(try body(known)) } catch { return .failure(error) }
    }
    return try outcome.get()
  }

  /// Calls a closure with the object behind a pointer, which lives until the closure returns although functions of the
  /// program that are called meanwhile, such as observers, release the handle.
  ///
  /// Throws `badArgument` for NULL and for handles of another kind.
  static func holding<Result>(
    _ pointer: OpaquePointer?, _ body: (Self) throws(Refusal) -> Result
  ) throws(Refusal) -> Result {
    let held = try with(pointer) { Unmanaged.passRetained($0) }
    defer { held.release() }
    return try with(pointer, body)
  }

  /// Returns the object behind a pointer, without counting a reference; nil, without a reason, for NULL and for handles of
  /// another kind.
  @inline(__always)
  static func known(_ pointer: OpaquePointer?) -> Unmanaged<Self>? {
    guard let pointer else { return nil }
    let address = UnsafeRawPointer(pointer)
    guard
      UInt(bitPattern: address) & 7 == 0,
      address.load(fromByteOffset: Handle.offsetOfMark, as: UInt64.self) == mark.rawValue
    else { return nil }
    return Unmanaged<Self>.fromOpaque(address)
  }

  /// The object behind a pointer that may be NULL.
  static func optional(_ pointer: OpaquePointer?) throws(Refusal) -> Self? {
    guard let pointer else { return nil }
    return try with(pointer) { known throws(Refusal) in known }
  }
}

/// Returns whether a pointer is that of a handle of any kind.
func isHandle(_ pointer: UnsafeMutableRawPointer) -> Bool {
  UInt(bitPattern: pointer) & 7 == 0
    && HandleMark(rawValue: pointer.load(fromByteOffset: Handle.offsetOfMark, as: UInt64.self)) != nil
}

/// A realm that C uses.
final class RealmHandle: Handle, MarkedHandle {
  static var mark: HandleMark { .realm }
  let numbered: NumberedRealm

  init(_ numbered: NumberedRealm) {
    self.numbered = numbered
    super.init(.realm)
  }
}

/// A new handle of a realm that Swift code of this package has opened, for its measurements.
package func openrealm_handle(of realm: Realm) -> OpaquePointer { RealmHandle(NumberedRealm(realm)).pointer }

extension Refusal {
  /// For a pointer that is NULL where the function needs one.
  static var null: Refusal { Refusal(.badArgument, "A pointer that is needed is NULL.") }
  /// For a handle of another kind, or one that was freed.
  static var otherHandle: Refusal {
    Refusal(.badArgument, "A handle is of another kind than the function takes, or was freed.")
  }
}
