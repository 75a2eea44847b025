import SwiftRuntime
import Testing

@Suite struct RuntimeFactTests {
  /// Otherwise everything works, but slowly: the toolchain is one that is not known yet.
  @Test(arguments: RuntimeFact.allCases)
  func theToolchainIsKnown(_ fact: RuntimeFact) { #expect(fact.holds) }
}
