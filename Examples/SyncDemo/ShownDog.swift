/// A dog as the program has shown it.
struct ShownDog {
  private let name: String
  let age: Int
  let writer: String

  init(_ dog: Dog) { (name, age, writer) = (dog.name, dog.age, dog.writer) }

  /// What to say of a dog that has another age than it was shown with.
  ///
  /// An SQL statement that changes only the age leaves the name of the former writer in the row.
  func changed(from former: ShownDog) -> String {
    "\(name) is \(age)" + (writer.isEmpty || writer == former.writer ? "" : " (\(writer))")
  }
}
