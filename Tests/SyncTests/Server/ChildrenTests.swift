import Sync
import Testing

/// The merge of the elements of lists, sets and maps, in a real server.
@Suite struct ChildrenTests {
  private static let cases = MergeCase.children + MergeCase.listElements

  @Test func storiesOfElementsEndAsTheRulesSay() throws {
    let failures = try MergeTests.failures(Kennel([Kennel.person]), Self.cases)
    #expect(failures.isEmpty, "\(failures)")
  }

  @Test func rulesOfElementsThatAreMissingAreNoticed() throws {
    let kennel = try Kennel([Kennel.person])
    for (mutants, stories) in [
      (Self.setMutants, MergeCase.sets + MergeCase.maps),
      (
        Self.ownerMutants,
        MergeCase.owners + MergeCase.refusedElements + MergeCase.elementPolicies + MergeCase.sets
      ),
      (Self.foreignMutants, MergeCase.foreignElements),
      (Self.listMutants, MergeCase.listElements),
    ] {
      try MergeTests.expectNoticed(mutants, kennel, stories)
    }
  }

  private typealias Mutant = MergeTests.Mutant

  private static let setMutants = [
    Mutant("additions win over removals", "and (g._died is null or g._died < s._at)", ""),
    Mutant("additions win over equal removals", "g._died < s._at)", "g._died <= s._at)"),
    Mutant(
      "removals win over later additions", "t.value = s.value and t._at <= s._at;\n  insert",
      "t.value = s.value;\n  insert"),
    Mutant(
      "removals lose against equal additions", "t.value = s.value and t._at <= s._at;\n  insert",
      "t.value = s.value and t._at < s._at;\n  insert"),
    Mutant(
      "removals are not remembered for missing elements",
      "perform \"app\".\"Person.tags$bury\"(array_agg(s.owner), array_agg(s.value), array_agg(s._at))",
      "perform array_agg(s.owner), array_agg(s.value), array_agg(s._at)"),
    Mutant("pushes do not wait for each other", "for no key update", "for key share"),
    Mutant("null is forgotten", "where s.value is null and ", "where false and "),
    Mutant("null is not removed", "t.owner = s.owner and t.value is null and t._at", "false and t._at"),
    Mutant(
      "the removal of null is forgotten",
      "left join \"app\".\"Person.moods$gone\" g on g.owner = s.owner and g.value is null",
      "left join \"app\".\"Person.moods$gone\" g on false"),
    Mutant("equal elements stop the push", "select distinct on (s.owner, s.value) ", "select "),
    Mutant("the first of equal elements is taken", "s.owner, s.value, s._at desc", "s.owner, s.value, s._at"),
    Mutant("stamps of elements are lowered", "_at = greatest(t._at, excluded._at)", "_at = excluded._at"),
    Mutant("lost additions are not told", "dead._died >= s._at or g._died >= s._at", "dead._died >= s._at"),
    Mutant("lost removals are not told", "or s._op = 'd' and t._at > s._at", ""),
    Mutant(
      "stamps of elements are not cut", "realm.now_hlc() + (60000::bigint << 16)", "9223372036854775807"),
    Mutant(
      "stamps of removals are not cut",
      "max(least(greatest(u.at, 0), realm.now_hlc() + (60000::bigint << 16)))", "max(greatest(u.at, 0))"),
    Mutant("removals below zero are kept", "least(greatest(u.at, 0), ", "least(u.at, "),
    Mutant("additions below zero are kept", "when (least(new._at) < 0 or ", "when ("),
    Mutant(
      "every write of an entry wins", "case when excluded._at > t._at then excluded.value",
      "case when true then excluded.value"),
    Mutant("equal writes of an entry win", "excluded._at > t._at then", "excluded._at >= t._at then"),
    Mutant(
      "lost writes of an entry are not told", " or t._at > s._at or t._at = s._at and",
      " or t._at = s._at and"),
    Mutant(
      "equal writes of an entry are not told", " or t._at = s._at and t.value is distinct from s.value", ""),
  ]

  private static let ownerMutants = [
    Mutant(
      "elements of former objects come back", "and (dead._died is null or dead._died < s._at)", ""),
    Mutant(
      "elements of former objects come back into lists",
      "and (dead._died is null or dead._died < s._ks)", ""),
    Mutant(
      "edited elements of former objects come back into lists", "dead._died < s._ks)",
      "dead._died < greatest(s._ks, s._vs))"),
    Mutant(
      "edited elements of former objects are not told", "dead._died >= s._ks or",
      "dead._died >= greatest(s._ks, s._vs) or"),
    Mutant("elements of former objects are not told", "dead._died >= s._at or ", ""),
    Mutant(
      "elements that a trigger drops are not told", "s._op = 'i' and t._rx is distinct from realm$x",
      "s._op = 'i' and false"),
    Mutant(
      "removed elements are told as denied", "s._at) and (g._died is null or g._died < s._at);", "s._at);"),
    Mutant("removed elements of lists are told as denied", "s._at) and g._el is null;", "s._at);"),
    Mutant("elements of owners that are gone are not told", "(writable.owner is null\n", "(false\n"),
    Mutant("owners keep their key", " on update cascade", ""),
    Mutant("owners stay while they have elements", " on delete cascade", ""),
    Mutant(
      "elements leave departures when their owner goes",
      "if exists (select from \"app\".\"Person\" p\n      where p.\"id\" = old.owner) then", "if true then"),
    Mutant("elements of one owner are rejected one by one", "if not is_divisible then", "if false then"),
    Mutant(
      "elements are merged without their owners' rows", "from realm.property p where p.class = what",
      "from realm.property p where false"),
    Mutant(
      "denied elements are not told",
      "when (p._rin = realm$x or pg_visible_in_snapshot(p._rin, realm$seen)) then 'denied'",
      "when false then 'denied'"),
    Mutant(
      "collections have no place among the stamps",
      "        null,\n        null,\n        null,\n        null,\n", ""),
    Mutant(
      "elements are seen by all",
      "create policy realm_read on \"app\".\"Person.tags\" for select using (",
      "create policy realm_read on \"app\".\"Person.tags\" for select using (true or "),
    Mutant(
      "removals are seen by all",
      "create policy realm_read on \"app\".\"Person.tags$gone\" for select using (",
      "create policy realm_read on \"app\".\"Person.tags$gone\" for select using (true or "),
    Mutant(
      "elements are added by all who see them",
      "\"app\".\"Person.tags\".owner and (home = any ((select '{a}')::text[])))",
      "\"app\".\"Person.tags\".owner)"),
  ]

  private static let foreignMutants = [
    Mutant(
      "removals by SQL leave nothing behind", "after delete on \"app\".\"Person.tags\" for each row",
      "after delete on \"app\".\"Person.tags\" for each row when (false)"),
    Mutant(
      "changed elements leave nothing behind",
      "when (old.owner is distinct from new.owner or old.value is distinct from new.value)", "when (false)"),
    Mutant(
      "additions by SQL are not later than removals", "1 + least(realm$limit, coalesce(",
      "0 * least(realm$limit, coalesce("),
    Mutant(
      "programs keep the greatest stamps of elements", "when (least(new._at) < 0 or greatest(new._at) > ",
      "when (false and 0 > "),
    Mutant(
      "SQL adds after the greatest removal", "1 + least(realm$limit, coalesce(",
      "1 + greatest(0, coalesce("),
    Mutant(
      "SQL removes after the greatest stamp", "least(old._at, realm.now_hlc() + (60000::bigint << 16))",
      "old._at"),
    Mutant("SQL writes after the greatest stamp", "least(old._at, realm$limit) + 1", "old._at + 1"),
    Mutant(
      "removals by SQL have not seen the element", "else greatest(realm.now_hlc(), realm$seen + 1) end",
      "else realm.now_hlc() end"),
    Mutant(
      "writes by SQL have not seen the entry",
      "new._at := greatest(realm.now_hlc(), least(old._at, realm$limit) + 1);",
      "new._at := realm.now_hlc();"),
    Mutant(
      "changed elements keep their stamp", "or new.value is distinct from old.value then", "or false then"),
    Mutant(
      "transactions of elements can be forged",
      "end if;\n  new._rx := pg_current_xact_id();\n  return new;", "end if;\n  return new;"),
    Mutant(
      "removals are kept for ever",
      "union all select p.class || '.' || p.name from realm.property p where p.collection",
      "union all select p.class || '.' || p.name from realm.property p where false and p.collection"),
  ]

  private static let listMutants = [
    Mutant(
      "every move wins", "case when s._ks > t._ks then s._key", "case when s._ks is not null then s._key"),
    Mutant("equal moves win", "case when s._ks > t._ks then s._key", "case when s._ks >= t._ks then s._key"),
    Mutant(
      "every value wins", "case when s._vs > t._vs then s.value", "case when s._vs is not null then s.value"),
    Mutant(
      "equal values win", "case when s._vs > t._vs then s.value", "case when s._vs >= t._vs then s.value"),
    Mutant("inserting again moves", "case when excluded._ks > t._ks then", "case when true then"),
    Mutant("inserting again writes the value", "case when excluded._vs > t._vs then", "case when true then"),
    Mutant("moves lower the stamp", "_ks = greatest(t._ks, s._ks)", "_ks = coalesce(s._ks, t._ks)"),
    Mutant("values lower the stamp", "_vs = greatest(t._vs, s._vs)", "_vs = coalesce(s._vs, t._vs)"),
    Mutant("elements come back", " and g._el is null\n", "\n"),
    Mutant("elements that came back are not told", " or g._el is not null)", ")"),
    Mutant("writes of removed elements are not told", "or s._op = 'u' and t._el is null", ""),
    Mutant("lost moves are not told", "s._ks < t._ks or s._vs", "s._vs"),
    Mutant("lost values are not told", "s._vs < t._vs", "false"),
    Mutant(
      "removals of elements are not remembered",
      "perform \"app\".\"Person.notes$bury\"(array_agg(s.owner), array_agg(s._el), array_agg(s._ks))",
      "perform array_agg(s.owner), array_agg(s._el), array_agg(s._ks)"),
    Mutant(
      "stamps of lists are not cut", "realm.now_hlc() + (60000::bigint << 16)", "9223372036854775807"),
    Mutant("stamps of lists below zero are kept", "when (least(new._ks, new._vs) < 0 or ", "when ("),
    Mutant("only positions are limited", "new._vs := greatest(0, least(new._vs, realm$limit));", ""),
    Mutant(
      "SQL moves after the greatest stamp", "least(old._ks, realm$limit) + 1", "old._ks + 1"),
    Mutant(
      "SQL writes values after the greatest stamp", "least(old._vs, realm$limit) + 1", "old._vs + 1"),
    Mutant(
      "SQL removes after the greatest stamp",
      "least(greatest(old._ks, old._vs), realm.now_hlc() + (60000::bigint << 16))",
      "greatest(old._ks, old._vs)"),
    Mutant(
      "missing stamps of lists are cut",
      "_ks = case when s._ks > realm$limit then realm$limit else s._ks end", "_ks = least(s._ks, realm$limit)"
    ),
    Mutant(
      "SQL appends at the beginning", "return '\\x808080'; end if;\n  if first",
      "return last; end if;\n  if first"),
    Mutant("SQL appends at one place", "n := n + 64;", ""),
    Mutant("keys of clients must be valid", "if size > 8 or length(last) <= size then", "if false then"),
    Mutant("SQL changes the numbers of elements", "new._el := old._el;", ""),
    Mutant("SQL forges stamps of lists", "new._ks := old._ks;", ""),
    Mutant(
      "SQL has not seen the value", "greatest(realm.now_hlc(), least(old._vs, realm$limit) + 1)",
      "realm.now_hlc()"),
    Mutant(
      "SQL has not seen the element that it removes",
      "else greatest(realm.now_hlc(), realm$seen + 1) end", "else realm.now_hlc() end"),
  ]
}
