import CProcessor

/// What the processor can do that not all of its kind can.
package enum Processor {
  /// Whether the functions of CProcessor for AVX2 may be called.
  package static let hasAVX2 = openrealm_processor_has_avx2() != 0
}
