/// Finds embedded classes that contain themselves, directly or through other embedded classes.
struct EmbeddedCycles {
  private struct Link {
    let property: String
    let target: Int
  }

  private let classes: [ClassSchema]
  /// The properties of each class that hold embedded objects.
  private let links: [[Link]]

  init(_ schemas: [ClassSchema], _ byName: SchemasByName) {
    let classes = schemas.filter(\.isEmbedded)
    let numbers = Dictionary(
      classes.enumerated().map { ($1.className, $0) }, uniquingKeysWith: { first, _ in first })
    self.classes = classes
    links = classes.map { schema in
      schema.properties.compactMap { property in
        guard let target = property.kind.targetName.flatMap({ byName[$0] }), target.isEmbedded else {
          return nil
        }
        return numbers[target.className].map { Link(property: property.name, target: $0) }
      }
    }
  }

  /// For each class that contains itself one line for each of its properties with which a way back begins: the shortest one.
  ///
  /// Complexity: O(properties) when there is none.
  var problems: [String] {
    let linking = linkingClasses
    var problems: [String] = []
    for start in classesLeadingToCycles(linking) {
      let waysBack = waysBack(to: start, linking)
      for link in links[start] {
        guard link.target == start || waysBack[link.target] != nil else { continue }
        var path = "\(classes[start].className).\(link.property)"
        var number = link.target
        while number != start, let next = waysBack[number] {
          path += ".\(next.property)"
          number = next.target
        }
        problems.append("Cycles containing embedded objects are not currently supported: '\(path)'")
      }
    }
    return problems
  }

  /// The classes that link to each class, once for each property.
  private var linkingClasses: [[Int]] {
    var linking = [[Int]](repeating: [], count: classes.count)
    for (number, links) in links.enumerated() {
      for link in links { linking[link.target].append(number) }
    }
    return linking
  }

  /// What is left when classes that lead to none of the others are taken away, one after the other.
  private func classesLeadingToCycles(_ linking: [[Int]]) -> [Int] {
    var targetCounts = links.map(\.count)
    var ends = targetCounts.indices.filter { targetCounts[$0] == 0 }
    while let end = ends.popLast() {
      for number in linking[end] {
        targetCounts[number] -= 1
        if targetCounts[number] == 0 { ends.append(number) }
      }
    }
    return targetCounts.indices.filter { targetCounts[$0] > 0 }
  }

  /// The first step of the shortest way to a class, for each class from which there is one.
  private func waysBack(to start: Int, _ linking: [[Int]]) -> [Int: Link] {
    var steps: [Int: Link] = [:]
    var reached = [start]
    var position = 0
    while position < reached.count {
      let target = reached[position]
      position += 1
      for number in linking[target] where number != start && steps[number] == nil {
        steps[number] = links[number].first { $0.target == target }
        reached.append(number)
      }
    }
    return steps
  }
}
