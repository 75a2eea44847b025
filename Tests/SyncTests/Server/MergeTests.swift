import Sync
import Testing

/// The merge of a push, in a real server, by the rules of which the generated SQL consists.
@Suite struct MergeTests {
  static let cases = MergeCase.all + MergeCase.foreign + MergeCase.policies + MergeCase.rejections

  /// Returns the names of the cases that do not come out as expected.
  ///
  /// - Parameters:
  ///   - stories: The cases; all of objects, when nil.
  ///   - stopsAtFirst: Whether one is enough.
  static func failures(
    _ kennel: Kennel, _ stories: [MergeCase]? = nil, stopsAtFirst: Bool = false
  ) -> [String: String] {
    var failures: [String: String] = [:]
    let firstKey = kennel.takeKeys()
    for (number, story) in (stories ?? cases).enumerated() {
      do {
        let found = try story.run(kennel, firstKey + (number + 1) * 10)
        if found != story.expected { failures[story.description] = "\(found), not \(story.expected)" }
      } catch {
        failures[story.description] = "\(error)"
        if kennel.connection.isInTransaction { try? kennel.connection.rollback() }
      }
      if stopsAtFirst && !failures.isEmpty { break }
    }
    return failures
  }

  @Test func storiesEndAsTheRulesSay() throws {
    let failures = try Self.failures(Kennel())
    #expect(failures.isEmpty, "\(failures)")
  }

  /// A rule that is taken out of the generated text, and what stands there instead.
  struct Mutant: Sendable {
    let name: String
    let old: String
    let new: String

    init(_ name: String, _ old: String, _ new: String) {
      (self.name, self.old, self.new) = (name, old, new)
    }
  }

  static let mutants = [
    Mutant(
      "every edit wins", "case when s._st[1] > coalesce(t._st[1], t._at) then s.\"name\"",
      "case when s._st[1] is not null then s.\"name\""),
    Mutant(
      "the stamp of the creation is forgotten", "s._st[1] > coalesce(t._st[1], t._at)",
      "s._st[1] > coalesce(t._st[1], 0)"),
    Mutant(
      "equal stamps win", "s._st[1] > coalesce(t._st[1], t._at) then s.\"name\"",
      "s._st[1] >= coalesce(t._st[1], t._at) then s.\"name\""),
    Mutant(
      "lost edits lower the stamp", "then s._st[1] else t._st[1] end", "then s._st[1] else s._st[1] end"),
    Mutant("counters are set", "t.\"likes\" + coalesce(s.\"likes\", 0)", "coalesce(s.\"likes\", 0)"),
    Mutant("counters of creations are set", "t.\"likes\" + excluded.\"likes\"", "excluded.\"likes\""),
    Mutant(
      "deletions win over later creations", "t.\"id\" = s.\"id\" and t._at <= s._at;\n  get",
      "t.\"id\" = s.\"id\";\n  get"),
    Mutant(
      "deletions are not remembered for missing keys",
      "perform \"app\".\"Dog$bury\"(array_agg(s.\"id\"), array_agg(s._at)) from", "perform count(*) from"),
    Mutant("creations come back after a deletion", "(dead._died is null or dead._died < s._at)", "true"),
    Mutant("lost edits are not told", "s._st[1] <= coalesce(t._st[1], t._at)", "false"),
    Mutant("lost deletions are not told", "s._op = 'd' and t._at > s._at", "false"),
    Mutant("edits of deleted objects are not told", "(t.\"id\" is null or", "(false or"),
    Mutant("stamps are not cut", "realm.now_hlc() + (60000::bigint << 16)", "9223372036854775807"),
    Mutant(
      "missing stamps are cut", "case when u.v > realm$limit then realm$limit else u.v end",
      "least(u.v, realm$limit)"),
    Mutant(
      "deletions are not cut", "max(least(greatest(u.at, 0), realm.now_hlc() + (60000::bigint << 16)))",
      "max(greatest(u.at, 0))"),
    Mutant("deletions below zero are kept", "least(greatest(u.at, 0), ", "least(u.at, "),
    Mutant("stamps below zero are kept", "when (new._at < 0 or 0 > any (new._st) or ", "when ("),
    Mutant(
      "SQL writes after the greatest stamp", "least(coalesce(realm$st[1], old._at), realm$limit) + 1",
      "coalesce(realm$st[1], old._at) + 1"),
    Mutant(
      "SQL inserts after the greatest stamp", "1 + least(realm$limit, \"app\".\"Dog$died\"(new.\"id\"))",
      "1 + \"app\".\"Dog$died\"(new.\"id\")"),
    Mutant(
      "deletions keep the greatest stamp", "least(old._at, realm.now_hlc() + (60000::bigint << 16))",
      "old._at"),
    Mutant(
      "creations ignore single stamps", "coalesce(excluded._st[2], excluded._at) > coalesce(t._st[2], t._at)",
      "excluded._at > coalesce(t._st[2], t._at)"),
    Mutant(
      "a move does not come in",
      "_rin = case when s._st[4] > coalesce(t._st[4], t._at) then realm$x else t._rin end,", ""),
    Mutant(
      "SQL programs are not stamped",
      "greatest(realm$now, least(coalesce(realm$st[1], old._at), realm$limit) + 1)", "null"),
    Mutant(
      "SQL programs are stamped with the time only",
      "greatest(realm$now, least(coalesce(realm$st[1], old._at), realm$limit) + 1)", "realm$now"),
    Mutant(
      "insertions are not later than deletions",
      "greatest(realm$now, 1 + least(realm$limit, \"app\".\"Dog$died\"(new.\"id\")))", "realm$now"),
    Mutant(
      "the key may change unseen", "tg_op = 'INSERT' or new.\"id\" is distinct from old.\"id\"",
      "tg_op = 'INSERT'"),
    Mutant(
      "a changed key leaves nothing behind", "when (old.\"id\" is distinct from new.\"id\" or ", "when ("),
    Mutant("moves leave nothing behind", " or old.\"owner\" is distinct from new.\"owner\"", ""),
    Mutant(
      "deletions leave nothing behind", "after delete on \"app\".\"Dog\" for each row",
      "after delete on \"app\".\"Dog\" for each row when (false)"),
    Mutant("transactions can be forged", "or new._rx is distinct from pg_current_xact_id()", "or false"),
    Mutant("deferred constraints fail at the commit", "set constraints all immediate;", ""),
    Mutant(
      "errors of triggers stop the push", "when others or assert_failure",
      "when integrity_constraint_violation or data_exception or assert_failure"),
    Mutant("assertions stop the push", " or assert_failure", ""),
    Mutant("the server's trouble rejects objects", "|55|", "|"),
    Mutant("a change of the schema rejects objects", "|42P01)", ")"),
    Mutant(
      "what a trigger drops is not told", "s._op = 'i' and t._rx is distinct from realm$x",
      "s._op = 'i' and false"),
    Mutant(
      "what a deletion beats is told as denied",
      "where dead._died is null or dead._died < s._at;", "where true;"),
    Mutant("a refusal rejects all", "perform realm.try(what, middle + 1, hi);", ""),
    Mutant("denied edits are not told", "t._rx <> realm$x", "false"),
    Mutant("denied edits are not looked for", "realm$written < realm$updates", "false"),
    Mutant(
      "denied deletions are not told", "and t._at <= s._at;\n  end if;\n  perform",
      "and false;\n  end if;\n  perform"),
    Mutant("denied deletions are not looked for", "realm$written < realm$deletes", "false"),
    Mutant(
      "departures are seen by all", "create policy realm_read on \"app\".\"Dog$gone\" for select using (",
      "create policy realm_read on \"app\".\"Dog$gone\" for select using (true or "),
    Mutant("truncate is accepted", "raise exception 'truncate", "raise notice 'truncate"),
  ]

  @Test func rulesThatAreMissingAreNoticed() throws {
    try Self.expectNoticed(Self.mutants, Kennel(), Self.cases)
  }

  /// Expects that a story ends differently without each of some rules.
  static func expectNoticed(_ mutants: [Mutant], _ kennel: Kennel, _ stories: [MergeCase]) throws {
    for mutant in mutants {
      var hits = 0
      let change = { (text: String) in
        if text.contains(mutant.old) { hits += 1 }
        return text.replacing(mutant.old, with: mutant.new)
      }
      // Most rules are in functions: they are replaced, which is faster than to install everything.
      let isReplaced = try kennel.replaceFunctions(changing: change)
      if !isReplaced { try kennel.reinstall(changing: change) }
      let failures = Self.failures(kennel, stories, stopsAtFirst: true)
      #expect(hits > 0, "the text of '\(mutant.name)' is generated differently now")
      #expect(failures.count == 1, "\(mutant.name)")
      // A mutant that cannot be executed would be noticed by any story.
      for state in ["42601", "42703", "42883"] {
        #expect(!failures.values.contains { $0.contains("SQLSTATE \(state)") }, "\(mutant.name): \(failures)")
      }
      if isReplaced { try kennel.restoreFunctions() } else { try kennel.reinstall { $0 } }
    }
  }
}
