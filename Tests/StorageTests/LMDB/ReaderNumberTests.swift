import LibC
import TestSupport
import Testing

@testable import Storage

@Suite struct ReaderNumberTests {
  private let folder = ScratchFolder()

  /// No process can have the number of an open file's readers.
  @Test(arguments: [false, true]) func readersHaveANumberOfTheirOwn(readOnly: Bool) throws {
    let path = folder.path("a.realm")
    if readOnly { withExtendedLifetime(try DatabaseFile.open(path: path)) {} }
    let file = try DatabaseFile.open(path: path, readOnly: readOnly)
    let reader = try file.takeReader()
    defer { file.readerPool.give(reader) }
    let number = file.readerNumber.value
    #expect(number > 1 << 22, "the layout of this LMDB is unknown")
    #expect(file.environment.readers.map(\.number).allSatisfy { $0 == number })
    #expect(file.readersOfAllProcesses.map(\.isOwn) == [true])
    #expect(file.readersOfAllProcesses.map(\.process) == [getpid()])
  }

  /// Where the layout of LMDB's environment is unknown, its readers have the number of the process.
  @Test func withoutTheLayoutTheProcessNumberIsUsed() throws {
    let path = folder.path("a.mdb")
    let environment = try EntryStore.open(path, mapSize: 1 << 20)
    defer { environment.close() }
    #expect(EnvironmentWords(environment)?.processNumber.pointee == getpid())
    let number = ReaderNumber(environment, nil)
    #expect(number.value == getpid() && number.process(of: 7) == 7)
    let transaction = try environment.beginReading()
    defer { transaction.abort() }
    #expect(environment.readers.map(\.number) == [getpid()])
  }
}
