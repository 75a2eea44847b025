import Synchronization

/// What is known of Swift's runtime, of the C library's and of Foundation's insides, though no documentation promises it.
///
/// Each fact has one type that says where it comes from, tests it once when it is first needed, and has a slower way for a
/// toolchain where it does not hold. The slower ways rely on documented behaviour only, with one exception: that of
/// `fieldReflection` takes an object to be one block of memory that holds its stored properties. Swift has no documented
/// way to reach a stored property of a class whose type is known only at run time. See `StoredField.offset(in:mark:)`.
package enum RuntimeFact: String, CaseIterable, Sendable {
  /// See `ReferenceCounts`.
  case referenceCounts
  /// See `UncountedReference`.
  case tryRetain
  /// See `ClassMetadata`.
  case classMetadata
  /// See `ClassName`.
  case classNames
  /// See `ObjectTemplate`.
  case objectCopies
  /// See `StoredField`.
  case fieldReflection
  /// See `FieldRecord`.
  case fieldRecords
  /// See `DeinitOrder`.
  case deinitOrder
  /// See `TypeRecords`.
  case typeRecords
  /// See `TrackingScope`.
  case trackingScope
  /// See `ActorExecutor`.
  case currentExecutor
  /// See `RunLoopLookup`.
  case runLoopLookup
  /// See `CallerPlace`.
  case staticStrings
  /// See `ShortString`.
  case shortStrings

  /// Whether it is so, as tried once.
  package var holds: Bool {
    switch self {
    case .referenceCounts: ReferenceCounts.areKnown
    case .tryRetain: TryRetain.isKnown
    case .classMetadata: ClassMetadata.isKnown
    case .classNames: ClassName.isKnown
    case .objectCopies: ObjectTemplate.isKnown
    case .fieldReflection: StoredField.isReflected
    case .fieldRecords: FieldRecord.isKnown
    case .deinitOrder: DeinitOrder.superclassesComeFirst
    case .typeRecords: TypeRecords.areKnown
    case .trackingScope: TrackingScope.offset != 0
    case .currentExecutor: ActorExecutor.isKnown
    case .runLoopLookup: RunLoopLookup.isKnown
    case .staticStrings: CallerPlace.canBeNamed
    case .shortStrings: ShortString.isKnown
    }
  }

  /// The facts that do not hold with this toolchain.
  package static let missing = allCases.filter { !$0.holds }

  /// Whether the parameters and results of the runtime's undocumented functions are known for this compiler. A check at run
  /// time finds a missing function; one that has kept its name and changed its parameters must not be called at all.
  static var signaturesAreKnown: Bool {
    #if compiler(>=6.2) && compiler(<6.4)
      true
    #else
      false
    #endif
  }

  /// A bit for each fact that is said not to hold.
  private static let denials = Atomic<UInt32>(0)

  private var bit: UInt32 { 1 << UInt32(Self.allCases.firstIndex(of: self)!) }

  /// Makes it look as if the fact did not hold, for tests of the slow way. Nothing may have asked for it before.
  package func deny() { Self.denials.bitwiseOr(bit, ordering: .relaxed) }

  var isDenied: Bool { Self.denials.load(ordering: .relaxed) & bit != 0 }

  /// The result of a check, unless the fact was denied.
  func isSo(_ check: () -> Bool) -> Bool { !isDenied && check() }
}
