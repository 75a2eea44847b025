import RealmSwift

let usage = """
  usage: IssueTracker list
         IssueTracker search TEXT
         IssueTracker add TITLE
         IssueTracker assign NUMBER NAME
         IssueTracker close NUMBER
  """
let words = Array(CommandLine.arguments.dropFirst())
let realm = try Realm(configuration: .tracker)

func printLines(_ issues: Results<Issue>) {
  for issue in issues {
    let assignee = issue.assignee.map { ", \($0.name)" } ?? ""
    print("#\(issue.number) \(issue.title) (\(issue.status.rawValue)\(assignee))")
  }
}

/// Changes the issue with a number that was typed.
@MainActor func change(_ number: String, _ body: (Issue) -> Void) throws {
  guard let number = Int(number), let issue = realm.object(ofType: Issue.self, forPrimaryKey: number) else {
    return print("There is no issue \(number).")
  }
  try realm.write { body(issue) }
}

switch (words.first, words.count) {
case ("list", 1): printLines(realm.openIssues)
case ("search", 2): printLines(realm.issues(about: words[1]))
case ("add", 2):
  let issue = try realm.write { realm.create(Issue.self, value: ["title": words[1]]) }
  print("#\(issue.number)")
case ("assign", 3):
  try change(words[1]) { issue in
    issue.assignee = realm.create(Person.self, value: ["name": words[2]], update: .modified)
  }
case ("close", 2):
  try change(words[1]) { $0.status = .closed }
default: print(usage)
}
