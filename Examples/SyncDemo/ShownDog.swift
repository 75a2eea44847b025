/// A dog as the program has shown it.
struct ShownDog {
  private let name: String
  let age: Int
  let writer: String

  init(_ dog: Dog) { (name, age, writer) = (dog.name, dog.age, dog.writer) }

  /// What to say of a dog that has another age than it was shown with.
  ///
  /// An SQL statement that sets the age only leaves the former writer there, who has not done it.
  func changed(from former: ShownDog) -> String {
    "\(name) is \(age)" + (writer.isEmpty || writer == former.writer ? "" : " (\(writer))")
  }
}
