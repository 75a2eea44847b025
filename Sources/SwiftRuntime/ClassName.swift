import LibC

/// The name of a class without its module and its generic arguments.
///
/// A class's descriptor has it. Checked with classes of different kinds, looking only at memory that is the program's. Otherwise `String(describing:)` tells it in many times the time.
package enum ClassName {
  static let isKnown = RuntimeFact.classNames.isSo {
    ClassMetadata.isKnown && Probe.isAsDescribed
  }

  package static func unqualified(of type: AnyClass) -> String {
    guard isKnown, let descriptor = ClassMetadata.descriptor(of: type) else { return described(type) }
    return String(cString: TypeDescriptor.name(descriptor))
  }

  private static func described(_ type: AnyClass) -> String {
    let name = String(describing: type)
    return name.firstIndex(of: "<").map { String(name[..<$0]) } ?? name
  }

  private final class Probe {
    private class Generic<Value> {}

    static var isAsDescribed: Bool {
      let types: [(AnyClass, String)] = [
        (Probe.self, "Probe"), (Generic<Int>.self, "Generic"), (LongerProbe.self, "LongerProbe"),
      ]
      return types.allSatisfy { type, name in
        guard let descriptor = ClassMetadata.descriptor(of: type),
          let image = LoadedImage.containing(descriptor, 12)
        else { return false }
        let text = TypeDescriptor.name(descriptor)
        return image.contains(text, name.utf8.count + 1) && strcmp(text, name) == 0
      }
    }
  }

  private final class LongerProbe {}
}
