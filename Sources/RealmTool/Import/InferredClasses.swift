/// The classes that are inferred, each with a name that no other class has.
struct InferredClasses {
  var plans: [ClassPlan] = []
  /// The names of all classes, also those that are not inferred.
  private var names: Set<String>

  init(besides names: Set<String>) { self.names = names }

  /// Returns a name that no class has: the wanted one, with underscores behind it where that is taken.
  func freeName(_ wanted: String) -> String {
    var name = wanted
    while names.contains(name) { name += "_" }
    return name
  }

  /// Adds a class. Returns its place.
  mutating func add(_ plan: ClassPlan) -> Int {
    names.insert(plan.name)
    plans.append(plan)
    return plans.count - 1
  }
}
