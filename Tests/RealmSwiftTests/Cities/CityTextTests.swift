import Foundation
import LibC
import RealmSwift
import Testing

extension CityQueries {
  @Suite struct Text {
    private let atlas: OpenAtlas

    init() throws { atlas = try OpenAtlas() }

    /// A string without its case, without its accents, or without both, by Foundation's means.
    private func folded(_ text: String, _ modifier: String) -> String {
      var text = text
      if modifier.contains("d") {
        let scalars = text.decomposedStringWithCanonicalMapping.unicodeScalars.filter {
          $0.properties.generalCategory != .nonspacingMark
        }
        text = String(String.UnicodeScalarView(scalars)).precomposedStringWithCanonicalMapping
      }
      return modifier.contains("c") ? text.lowercased().replacingOccurrences(of: "ß", with: "ss") : text
    }

    // Bytes are compared: Swift's own operations find strings equal that are composed differently.

    private func contains(_ text: String, _ part: String) -> Bool { strstr(text, part) != nil }

    private func begins(_ text: String, _ part: String) -> Bool { strncmp(text, part, part.utf8.count) == 0 }

    private func ends(_ text: String, _ part: String) -> Bool {
      text.utf8.count >= part.utf8.count
        && text.withCString { strcmp($0 + (text.utf8.count - part.utf8.count), part) == 0 }
    }

    private func options(_ modifier: String) -> RealmSwift.StringOptions {
      var options: RealmSwift.StringOptions = []
      if modifier.contains("c") { options.insert(.caseInsensitive) }
      if modifier.contains("d") { options.insert(.diacriticInsensitive) }
      return options
    }

    private func format(_ operation: String, _ modifier: String) -> String {
      "name \(operation)\(modifier.isEmpty ? "" : "[\(modifier)]") %@"
    }

    @Test(arguments: ["", "c", "d", "cd"])
    func namesThatContain(modifier: String) {
      let names = atlas.records.cities.map { folded($0.name, modifier) }
      let ids = atlas.records.cities.map(\.id)
      let options = options(modifier)
      for part in [
        "é", "É", "ü", "Ō", "ł", "ß", "SS", "SÃO", "Saint-É", "ấ", "’", "xyzzy",
      ] {
        let wanted = folded(part, modifier)
        let expected = zip(ids, names).filter { contains($0.1, wanted) }.map(\.0)
        let typed = atlas.cities.where { $0.name.contains(part, options: options) }
        #expect(typed.map(\.id) == expected, "CONTAINS[\(modifier)] \(part)")
        let parsed = atlas.cities.filter(format("CONTAINS", modifier), part)
        #expect(parsed.count == expected.count, "CONTAINS[\(modifier)] \(part)")
        // Something is found with an accent, unless it must be written exactly so.
        if part == "É" && modifier != "" { #expect(expected.count > 100) }
      }
    }

    @Test(arguments: ["", "c", "d", "cd"])
    func namesThatBeginEndAndAre(modifier: String) {
      let names = atlas.records.cities.map { folded($0.name, modifier) }
      let ids = atlas.records.cities.map(\.id)
      let options = options(modifier)
      func found(_ test: (String) -> Bool) -> [Int] { zip(ids, names).filter { test($0.1) }.map(\.0) }
      for part in ["SAO ", "é", "Évr", "zurich", "Malmö", "ö"] {
        let wanted = folded(part, modifier)
        let beginning = atlas.cities.where { $0.name.starts(with: part, options: options) }
        #expect(beginning.map(\.id) == found { begins($0, wanted) }, "BEGINSWITH[\(modifier)] \(part)")
        #expect(atlas.cities.filter(format("BEGINSWITH", modifier), part).count == beginning.count)
        let ending = atlas.cities.where { $0.name.ends(with: part, options: options) }
        #expect(
          ending.map(\.id) == found { ends($0, wanted) },
          "ENDSWITH[\(modifier)] \(part)")
        let equal = atlas.cities.where { $0.name.equals(part, options: options) }
        #expect(equal.map(\.id) == found { strcmp($0, wanted) == 0 }, "==[\(modifier)] \(part)")
        let unequal = atlas.cities.where { $0.name.notEquals(part, options: options) }
        #expect(unequal.count == ids.count - equal.count, "!=[\(modifier)] \(part)")
      }
    }

    @Test func knownNames() {
      func names(_ format: String, _ argument: String) -> Set<String> {
        Set(atlas.cities.filter(format, argument).map(\.name))
      }
      #expect(names("name ==[cd] %@", "ZURICH").contains("Zürich"))
      #expect(names("name ==[c] %@", "ZURICH").isDisjoint(with: ["Zürich"]))
      #expect(names("name ==[c] %@", "ZÜRICH").contains("Zürich"))
      #expect(names("name ==[c] %@", "GROSSENHAIN") == ["Großenhain"])
      // Letters of their own, not letters with accents.
      #expect(names("name ==[cd] %@", "łódź") == ["Łódź"])
      #expect(names("name ==[cd] %@", "lodz").isDisjoint(with: ["Łódź"]))
      #expect(names("name ==[cd] %@", "istanbul") == ["Istanbul"])
    }

    @Test func patterns() {
      atlas.expect(
        atlas.cities.where { $0.name.like("S?o *") }, atlas.cities.filter("name LIKE 'S?o *'")
      ) { city in
        let scalars = Array(city.name.unicodeScalars)
        return scalars.count >= 4 && scalars[0] == "S" && scalars[2] == "o" && scalars[3] == " "
      }
      atlas.expect(
        atlas.cities.where { $0.name.like("*É*ville", caseInsensitive: true) },
        atlas.cities.filter("name LIKE[c] '*É*VILLE'")
      ) { city in
        let name = city.name.lowercased()
        return name.hasSuffix("ville") && name.dropLast(5).contains("é")
      }
    }

    @Test func alternateNames() {
      for part in ["آباد", "Lungsod ng "] {
        let expected = atlas.records.cities.filter { $0.alternateNames.contains { contains($0, part) } }
        #expect(!expected.isEmpty)
        #expect(
          atlas.cities.filter("ANY alternateNames CONTAINS %@", part).map(\.id) == expected.map(\.id),
          "\(part)")
      }
      let names = atlas.records.cities.map { Set($0.alternateNames.map { $0.lowercased() }) }
      for part in ["BEČ", "Lungsod Ng München"] {
        let wanted = part.lowercased()
        let expected = zip(atlas.records.cities, names).filter { $1.contains(wanted) }.map(\.0)
        #expect(!expected.isEmpty)
        #expect(
          atlas.cities.filter("ANY alternateNames ==[c] %@", part).map(\.id) == expected.map(\.id), "\(part)")
      }
      atlas.expect(
        atlas.cities.where { $0.alternateNames.contains("Dunaj") },
        atlas.cities.filter("'Dunaj' IN alternateNames")
      ) { $0.alternateNames.contains("Dunaj") }
      atlas.expect(atlas.cities.where { $0.alternateNames.count > 11 }) { $0.alternateNames.count > 11 }
      atlas.expect(atlas.cities.filter("alternateNames.@count == 2 AND population > 500000")) {
        $0.alternateNames.count == 2 && $0.population > 500_000
      }
    }
  }
}
