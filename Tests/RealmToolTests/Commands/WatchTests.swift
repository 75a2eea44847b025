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

  /// Classes that come later are watched as well.
  @Test func newClassesAreWatched() throws {
    let folder = ScratchFolder()
    let path = try World.small(in: folder)
    let watcher = try RunningTool("watch", path, "--limit", "3")
    _ = watcher.firstNote()
    for numbers in ["{\"n\":1}{\"n\":2}", "{\"n\":3}"] {
      #expect(
        try RealmProgram.run("import", path, "-", "--class", "New", "--format", "jsonl", input: numbers)
          .status
          == 0)
      for number in numbers.filter(\.isNumber) {
        let row = Int(String(number))! - 1
        #expect(
          watcher.nextLine()
            == ##"{"change":"inserted","class":"New","key":"#\##(row)","object":{"$row":\##(row),"n":\##(number)}}"##
        )
      }
    }
    #expect(watcher.end() == 0)
  }

  /// Nothing more can come from a file that has lost its place.
  @Test func theFileGoes() throws {
    let folder = ScratchFolder()
    for isReplaced in [false, true] {
      let path = try World.small(in: folder, "\(isReplaced).realm")
      let watcher = try RunningTool("watch", path)
      #expect(watcher.firstNote().contains("Watching"))
      if isReplaced {
        let other = folder.path("other.realm")
        try FileManager.default.copyItem(atPath: path, toPath: other)
        #expect(rename(other, path) == 0)
      } else {
        try FileManager.default.removeItem(atPath: path)
      }
      #expect(watcher.end() == 3)
      #expect(
        watcher.firstNote()
          == (isReplaced
            ? "realm: '\(path)' was replaced by another file: start realm watch again to watch that one.\n"
            : "realm: '\(path)' was deleted or moved.\n"))
    }
  }

  @Test func nothingIsWatched() throws {
    let folder = ScratchFolder()
    let path = try World.small(in: folder)
    #expect(try RealmProgram.run("watch", path, "--limit", "0").status == 0)
    #expect(try RealmProgram.run("watch", path, "Cuntry", "--limit", "0").status == 2)
  }

  /// A user without write permission cannot watch. The superuser can write to every file.
  @Test(.enabled(if: geteuid() != 0 || FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")))
  func aFileThatCanOnlyBeRead() throws {
    let folder = ScratchFolder()
    let path = try World.small(in: folder)
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    let user = geteuid() == 0 ? "setpriv --reuid=65534 --clear-groups" : ""
    let outcome = try RealmProgram.shell("\(user) realm watch '\(path)'")
    #expect(outcome.status == 3)
    #expect(
      outcome.error.contains("has no permission to write to '\(path)'")
        || outcome.error.contains("has no permission to enter the folder of '\(path)'"), "\(outcome.error)")
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
