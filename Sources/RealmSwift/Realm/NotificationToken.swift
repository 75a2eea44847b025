/// Stands for an observation. Observing comes with a later version; tokens appear in signatures already.
public final class NotificationToken: Sendable {
  private init() {}
}
