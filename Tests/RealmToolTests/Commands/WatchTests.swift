import Foundation
import TestSupport
import Testing

struct WatchTests {
  @Test func changesOfOtherProcesses() throws {
    let folder = ScratchFolder()
    let path = try World.small(in: folder)
    let watcher = try RunningTool("watch", path, "--limit", "4")
    #expect(watcher.firstNote().contains("Watching '\(path)'."))
    _ = try RealmProgram.run("create", path, "Country", "code=FI", "name=Finland", "population=1", "area=2")
    #expect(
      watcher.nextLine()
        == #"{"change":"inserted","class":"Country","key":"FI","object":{"code":"FI","name":"Finland","population":1,"area":2.0,"neighbours":[],"since":null}}"#
    )
    _ = try RealmProgram.run("set", path, "Country", "SE", "population=2")
    #expect(
      watcher.nextLine()?.hasPrefix(#"{"change":"modified","class":"Country","key":"SE","object":{"#) == true)
    _ = try RealmProgram.run("delete", path, "Country", "NO", "--yes")
    #expect(watcher.nextLine() == #"{"change":"deleted","class":"Country","key":"NO"}"#)
    _ = try RealmProgram.run("delete", path, "Country", "SE", "--yes")
    #expect(watcher.nextLine() == #"{"change":"deleted","class":"Country","key":"SE"}"#)
    #expect(watcher.end() == 0)
  }

  @Test func aPredicateSaysWhatComesAndGoes() throws {
    let folder = ScratchFolder()
    let path = try World.small(in: folder)
    let watcher = try RunningTool("watch", path, "Country", "population > 1000000", "--limit", "2")
    _ = watcher.firstNote()
    _ = try RealmProgram.run("set", path, "Country", "NO", "population=1")
    #expect(watcher.nextLine() == #"{"change":"deleted","class":"Country","key":"NO"}"#)
    _ = try RealmProgram.run("set", path, "Country", "IS", "population=2000000")
    #expect(watcher.nextLine()?.hasPrefix(#"{"change":"inserted","class":"Country","key":"IS""#) == true)
    #expect(watcher.end() == 0)
  }
}
