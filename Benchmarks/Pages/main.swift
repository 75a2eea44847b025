// Compares files of pages with LMDB and SQLite, in turns that alternate, so that other work hits all alike: median of the
// turns, and what was written to the disk. Argument: a folder on a real disk.

import LibC

let folder = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "."
let turns = getenv("ROUNDS").flatMap { Int(String(cString: $0)) } ?? 20
var comparison = Comparison(folder: folder, turns: turns)
try comparison.run()
comparison.report()
