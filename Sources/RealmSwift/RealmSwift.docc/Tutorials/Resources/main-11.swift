import RealmSwift

let usage = """
  usage: IssueTracker list
         IssueTracker search TEXT
  """
let words = Array(CommandLine.arguments.dropFirst())
let realm = try Realm(configuration: .tracker)

func printLines(_ issues: Results<Issue>) {
  for issue in issues {
    let assignee = issue.assignee.map { ", \($0.name)" } ?? ""
    print("#\(issue.number) \(issue.title) (\(issue.status.rawValue)\(assignee))")
  }
}

switch (words.first, words.count) {
case ("list", 1): printLines(realm.openIssues)
case ("search", 2): printLines(realm.issues(about: words[1]))
default: print(usage)
}
