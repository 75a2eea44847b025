import Foundation
import Testing

@testable import RealmSwift

/// The operators of strings, data and links on everything that leads to one. What is expected is computed by plain
/// Swift.
struct TextAndLinkTableTests {
  @Test func strings() throws {
    let table = try QueryTable()
    OperatorTableTests.equality(table, QueryTable.strings)
    OperatorTableTests.ordering(table, QueryTable.strings, isNumeric: false)
    for option in [0, 1, 2, 3] as [Int8] {
      let options = RealmSwift.StringOptions(rawValue: option)
      parts(table, options)
      wholes(table, options)
    }
    table.check({ $0.string.like("a*") }, { $0.string.hasPrefix("a") })
    table.check(
      { $0.string.like("?b*", caseInsensitive: true) },
      {
        $0.string.dropFirst().first?.lowercased() == "b"
      })
    table.check({ $0.optString.like(nil) }, { $0.optString == nil })
    table.check(
      { $0.string.contains($0.link.string) },
      { thing in
        thing.link.map { !$0.string.isEmpty && thing.string.contains($0.string) } ?? false
      })
  }

  private func fold(_ text: String, _ options: RealmSwift.StringOptions) -> String {
    var folding: String.CompareOptions = []
    if options.contains(.caseInsensitive) { folding.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { folding.insert(.diacriticInsensitive) }
    return text.folding(options: folding, locale: nil)
  }

  private func parts(_ table: QueryTable, _ options: RealmSwift.StringOptions) {
    for part in ["", "a", "B", "bc", "e", "é", "LAIR", "b*"] {
      let folded = fold(part, options)
      // The empty string is part of none.
      func has(_ text: String?, _ test: (String, String) -> Bool) -> Bool {
        text.map { !part.isEmpty && test(fold($0, options), folded) } ?? false
      }
      table.check({ $0.string.contains(part, options: options) }, { has($0.string) { $0.contains($1) } })
      table.check(
        { $0.optString.contains(part, options: options) },
        {
          has($0.optString) { $0.contains($1) }
        })
      table.check(
        { $0.string.starts(with: part, options: options) },
        {
          has($0.string) { $0.hasPrefix($1) }
        })
      table.check(
        { $0.indexedString.starts(with: part, options: options) },
        {
          has($0.indexedString) { $0.hasPrefix($1) }
        })
      table.check(
        { $0.link.string.ends(with: part, options: options) },
        {
          has($0.link?.string) { $0.hasSuffix($1) }
        })
      table.check(
        { $0.list.string.contains(part, options: options) },
        {
          $0.list.contains { has($0.string) { $0.contains($1) } }
        })
      table.check(
        { $0.stringMap.values.ends(with: part, options: options) },
        {
          $0.stringMap.values.contains { has($0) { $0.hasSuffix($1) } }
        })
    }
  }

  private func wholes(_ table: QueryTable, _ options: RealmSwift.StringOptions) {
    for text in QueryTable.strings.pool {
      table.check(
        { $0.string.equals(text, options: options) },
        {
          fold($0.string, options) == fold(text, options)
        })
      table.check(
        { $0.optString.notEquals(text, options: options) },
        {
          $0.optString.map { fold($0, options) != fold(text, options) } ?? true
        })
    }
    table.check(
      { $0.string.equals($0.link.string, options: options) },
      { thing in
        thing.link.map { fold($0.string, options) == fold(thing.string, options) } ?? false
      })
  }

  @Test func data() throws {
    let table = try QueryTable()
    OperatorTableTests.equality(table, QueryTable.datas)
    for part in QueryTable.datas.pool where !part.isEmpty {
      table.check({ $0.data.contains(part) }, { $0.data.range(of: part) != nil })
      table.check({ $0.optData.starts(with: part) }, { $0.optData?.starts(with: part) ?? false })
      table.check({ $0.data.ends(with: part) }, { $0.data.suffix(part.count) == part })
      table.check({ $0.data < part }, { $0.data.lexicographicallyPrecedes(part) })
      table.check({ $0.datas == part }, { $0.datas.contains(part) })
    }
  }

  @Test func links() throws {
    let table = try QueryTable()
    for thing in table.all.prefix(6) {
      table.check({ $0.link == thing }, { $0.link?.id == thing.id })
      table.check({ $0.link != thing }, { $0.link?.id != thing.id })
      table.check({ $0.link.in([thing, nil]) }, { $0.link == nil || $0.link?.id == thing.id })
      table.check({ $0.list.contains(thing) }, { $0.list.contains { $0.id == thing.id } })
      table.check({ $0.list == thing }, { $0.list.contains { $0.id == thing.id } })
      table.check({ $0.list != thing }, { $0.list.contains { $0.id != thing.id } })
      table.check(
        { $0.list.containsAny(in: [thing, table.all[9]]) },
        {
          $0.list.contains { $0.id == thing.id || $0.id == 9 }
        })
      table.check({ $0.set.contains(thing) }, { $0.set.contains { $0.id == thing.id } })
      table.check({ $0.linkers.contains(thing) }, { thing.link?.id == $0.id })
      table.check({ $0.holders.id == thing.id }, { owner in thing.list.contains { $0.id == owner.id } })
    }
    table.check({ $0.link == nil }, { $0.link == nil })
    table.check({ $0.link != nil }, { $0.link != nil })
    table.check({ $0.link.link == nil }, { $0.link?.link == nil })
    table.check({ $0.link.link.int == 2 }, { $0.link?.link?.int == 2 })
    table.check({ $0.list.link.int == 2 }, { $0.list.contains { $0.link?.int == 2 } })
    table.check({ $0.list.list.int == 2 }, { $0.list.contains { $0.list.contains { $0.int == 2 } } })
    table.check({ $0.map.values.int == 2 }, { $0.map.values.contains { $0?.int == 2 } })
    table.check({ ($0.map.values.int == 2).count == 1 }, { $0.map.values.filter { $0?.int == 2 }.count == 1 })
    table.check(
      { ($0.list.int == 2 && $0.list.bool).count > 0 },
      {
        $0.list.contains { $0.int == 2 && $0.bool }
      })
    table.check(
      { ($0.list.list.int == 2).count > 1 },
      {
        $0.list.filter { $0.list.contains { $0.int == 2 } }.count > 1
      })
    table.check(
      { ($0.linkers.int == 2).count > 0 },
      { thing in
        table.all.contains { $0.link?.id == thing.id && $0.int == 2 }
      })
  }
}
