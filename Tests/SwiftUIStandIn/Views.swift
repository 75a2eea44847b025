// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The views and modifiers that samples and the client package use.

public import Foundation

@propertyWrapper
public struct State<Value>: DynamicProperty {
  public init(wrappedValue: Value) {}
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { fatalError() }
}

public struct EmptyView: View {
  public var body: Never { fatalError() }
}

public struct TupleView<each Content: View>: View {
  public var body: Never { fatalError() }
}

public struct ConditionalContent<First: View, Second: View>: View {
  public var body: Never { fatalError() }
}

@resultBuilder public struct ViewBuilder {
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildEither<First: View, Second: View>(first: First) -> ConditionalContent<First, Second>
  {
    fatalError()
  }
  public static func buildEither<First: View, Second: View>(
    second: Second
  ) -> ConditionalContent<First, Second> {
    fatalError()
  }
  public static func buildBlock() -> EmptyView { fatalError() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<repeat each Content> { fatalError() }
}

public struct VStack<Content: View>: View {
  public nonisolated init(@ViewBuilder content: () -> Content) {}
  public var body: Never { fatalError() }
}

public struct List<Content: View>: View {
  public nonisolated init(@ViewBuilder content: () -> Content) {}
  public var body: Never { fatalError() }
}

public struct ForEach<Data: RandomAccessCollection, Content: View>: View where Data.Element: Identifiable {
  public nonisolated init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
  public nonisolated func onDelete(perform action: ((IndexSet) -> Void)?) -> some View { EmptyView() }
  public var body: Never { fatalError() }
}

public struct Button: View {
  public nonisolated init(_ title: LocalizedStringKey, action: @escaping @MainActor () -> Void) {}
  public var body: Never { fatalError() }
}

public struct TextField: View {
  public nonisolated init(_ title: LocalizedStringKey, text: Binding<String>) {}
  public var body: Never { fatalError() }
}

public struct Section<Content: View>: View {
  public nonisolated init<Title: StringProtocol>(_ title: Title, @ViewBuilder content: () -> Content) {}
  public var body: Never { fatalError() }
}

extension View {
  public nonisolated func environment<Value>(
    _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
  ) -> some View { self }
}
