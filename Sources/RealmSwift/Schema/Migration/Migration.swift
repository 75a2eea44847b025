/// What a migration block is given.
///
/// Migration blocks do not run yet: a configuration can have one, and opening a realm throws when it would have
/// to run.
public final class Migration {
  private init() {}
}
