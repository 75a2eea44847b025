import Storage
import Sync
import Testing

@Suite struct ServerTypeTests {
  @Test(arguments: ServerType.allCases) func typesStoreTheValuesOfOneTypeOfRealmFiles(type: ServerType) {
    #expect(ServerType(storing: type.valueType) == type)
  }

  @Test func keysAreOfTheFourTypesOfPrimaryKeys() {
    #expect(ServerType.allCases.filter(\.canBeKey) == [.bigint, .text, .objectId, .uuid])
  }

  @Test func linksHaveNoTypeOfTheirOwn() {
    #expect(ServerType(storing: .link) == nil)
  }
}
