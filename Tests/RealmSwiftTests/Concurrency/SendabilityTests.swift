import RealmSwift
import Testing

/// What may be sent to other threads and actors is known to the compiler.
@Suite struct SendabilityTests {
  private func requireSendable<T: Sendable>(_: T.Type) -> Bool { true }

  @Test func sendableTypes() {
    #expect(requireSendable(Realm.Configuration.self))
    #expect(requireSendable(Realm.OpenBehavior.self))
    #expect(requireSendable(ThreadSafeReference<ActorTodo>.self))
    #expect(requireSendable(ThreadSafe<ActorTodo>.self))
    #expect(requireSendable(NotificationToken.self))
    #expect(requireSendable(AsyncOpenTask.self))
    #expect(requireSendable(ObjectId.self))
    #expect(requireSendable(Decimal128.self))
    #expect(requireSendable(SortDescriptor.self))
    #expect(requireSendable(Schema.self))
    #expect(requireSendable(ObjectSchema.self))
    #expect(requireSendable(Property.self))
    #expect(requireSendable(StringOptions.self))
    #expect(requireSendable(GeoPoint.self))
    #expect(requireSendable(GeoBox.self))
    #expect(requireSendable(GeoCircle.self))
    #expect(requireSendable(GeoPolygon.self))
  }
}
