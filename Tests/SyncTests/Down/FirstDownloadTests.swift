import Storage
import Sync
import TestSupport
import Testing

/// Downloads of many rows, which are kept as the server has sent them until they are applied.
@Suite struct FirstDownloadTests {
  @Test func rowsOfAllSizesArrive() throws {
    let server = try SubscribedServer()
    try server.rows(
      """
      insert into app."Dog" (id, color, name) select n, 'red', repeat('n', n % 1000) from generate_series(1, 2000) n;
      insert into app."Dog" (id, color, name) values (0, 'blue', ''), (9000, 'red', repeat('long', 200000)), (9001, '', 'end')
      """)
    let file = try SubscribedFile(server.settings)
    try file.transfer()
    let dogs = try file.dogs()
    #expect(dogs.count == 2003)
    #expect(
      dogs.filter { 1...2000 ~= $0.key }.allSatisfy {
        $1[3] == .string(String(repeating: "n", count: Int($0 % 1000)))
      })
    #expect(dogs[9000]?[3] == .string(String(repeating: "long", count: 200_000)))
    #expect(dogs[0]?[1] == .string("blue") && dogs[9001]?[3] == .string("end"))
  }
}
