import Foundation
import RealmSwift
import TestSupport
import Testing

/// Mistakes that stop the program, with what is said then.
struct SectionTrapTests {
  private static func books() -> (ScratchRealm, Results<SectionBook>) {
    do {
      let scratch = try ScratchRealm(opening: [SectionBook.self, SectionShop.self])
      try scratch.realm.write {
        let shop = scratch.realm.create(SectionShop.self, value: ["name": "corner"])
        let book = SectionBook("a")
        book.shop = shop
        scratch.realm.add(book)
      }
      return (scratch, scratch.realm.objects(SectionBook.self))
    } catch {
      fatalError("\(error)")
    }
  }

  @Test func sortDescriptors() async {
    let none = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Self.books().1.sectioned(by: \.title, sortDescriptors: [])
    }
    expectStop(none, saying: "Can not section Results with empty sortDescriptor parameter.")
    let noneForBlock = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Self.books().1.sectioned(by: { $0.title }, sortDescriptors: [])
    }
    expectStop(
      noneForBlock, saying: "There must be at least one SortDescriptor when using SectionedResults.")
    let other = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Self.books().1.sectioned(
        by: \.title, sortDescriptors: [.init(keyPath: "pages"), .init(keyPath: "title")])
    }
    expectStop(other, saying: "The section key path must match the primary sort descriptor.")
    let objects = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Self.books().1.sectioned(by: { $0.title }, ascending: true)
    }
    expectStop(
      objects, saying: "Cannot sort on key path 'self': property 'SectionBook.self' does not exist.")
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Self.books().1.sectioned(by: { $0.title }, sortDescriptors: [.init(keyPath: "nothing")])
    }
    expectStop(
      unknown, saying: "Cannot sort on key path 'nothing': property 'SectionBook.nothing' does not exist.")
  }

  @Test func linksAsKeys() async {
    let link = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (scratch, books) = Self.books()
      withExtendedLifetime(scratch) {
        _ = books.sectioned(by: { $0.shop }, sortDescriptors: [.init(keyPath: "title")]).count
      }
    }
    expectStop(link, saying: "Links are not supported as section keys.")
    let mixed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (scratch, books) = Self.books()
      withExtendedLifetime(scratch) {
        _ =
          books.sectioned(
            by: { AnyRealmValue.object($0.shop!) }, sortDescriptors: [.init(keyPath: "title")]
          ).count
      }
    }
    expectStop(mixed, saying: "Links are not supported as section keys.")
  }

  @Test func positions() async {
    let section = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Self.books().1.sectioned(by: \.title)[1]
    }
    expectStop(section, saying: "Index 1 is out of bounds (must be less than 1).")
    let element = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Self.books().1.sectioned(by: \.title)[IndexPath(item: -1, section: 0)]
    }
    expectStop(element, saying: "Cannot pass a negative value for 'index'.")
  }

  @Test func sectionsThatAreGone() async {
    let count = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (scratch, books) = Self.books()
      let section = books.sectioned(by: \.title)[0]
      try scratch.realm.write { books[0].title = "b" }
      _ = section.count
    }
    expectStop(count, saying: "Access to invalidated Results objects")
  }

  @Test func collectionsInMemory() async {
    let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = SectionShop().books.sectioned(by: \.title)
    }
    expectStop(
      list, saying: "This method may only be called on RLMArray instances retrieved from an RLMRealm")
    let set = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = SectionShop().wordSet.sectioned(by: { $0.count })
    }
    expectStop(
      set, saying: "This method may only be called on RLMSet instances retrieved from an RLMRealm")
  }

  @Test func otherThreads() async {
    let thread = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      nonisolated(unsafe) let sections = Self.books().1.sectioned(by: \.title)
      try onOtherThread { _ = sections.count }
    }
    expectStop(thread, saying: "Realm accessed from incorrect thread.")
  }
}
