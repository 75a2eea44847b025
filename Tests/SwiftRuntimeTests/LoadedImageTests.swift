import Foundation
import Testing

@testable import SwiftRuntime

@Suite struct LoadedImageTests {
  private final class Probe {}

  @Test func findsTheImageOfAnAddress() throws {
    let address = ClassMetadata.address(of: Probe.self)
    let image = try #require(LoadedImage.containing(address, 1))
    #expect(image.contains(address, 1))
    #expect(LoadedImage.all().filter { $0.contains(address, 1) }.map(\.base) == [image.base])
    #expect(LoadedImage.containing(address, .max) == nil)
    #expect(LoadedImage.containing(UnsafeRawPointer(bitPattern: 8)!, 1) == nil)
  }

  @Test func leavesOutTheToolchain() throws {
    let program = LoadedImage.ofProgram()
    let own = try #require(LoadedImage.containing(ClassMetadata.address(of: Probe.self), 1))
    #expect(program.contains { $0.base == own.base })
    let left = LoadedImage.all().filter { image in !program.contains { $0.base == image.base } }
    let names = left.map { URL(fileURLWithPath: $0.path).lastPathComponent }
    #expect(names.contains("libswiftCore.so") && names.contains("libFoundation.so"))
    #expect(names.allSatisfy { $0.hasPrefix("lib") })
    #expect(!names.contains { $0.hasPrefix("libc.") || $0.hasPrefix("libstdc++") })
    let standard = try #require(LoadedImage.containing(ClassMetadata.address(of: ProcessInfo.self), 1))
    #expect(left.contains { $0.base == standard.base })
  }
}
