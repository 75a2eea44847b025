// AND, OR, NOT and parentheses. All of it is one loop: text can be nested as deep as it likes.
extension FormatParser {
  /// What a parenthesis can hold, and what a comparison can begin with.
  enum Term {
    case predicate(PredicateExpression)
    case operand(Operand)
  }

  /// A parenthesis that is still open, or the whole text.
  private struct Group {
    /// The first of its parts, which are the alternatives that are complete and then those of the last one.
    let start: Int
    var conjunctionStart: Int
    /// How many negations stand before the next term.
    var negations = 0

    init(start: Int) {
      self.start = start
      conjunctionStart = start
    }

    /// Whether there is no OR in it.
    var isConjunction: Bool { conjunctionStart == start }
  }

  mutating func disjunction() throws -> PredicateExpression {
    var assembler = ExpressionAssembler()
    var groups = [Group(start: 0)]
    while true {
      try term(&groups, &assembler)
      var isComplete = false
      while !isComplete {
        let group = groups[groups.count - 1]
        if take(symbol: "&&") || take(keywords: "AND") {
          isComplete = true
        } else if take(symbol: "||") || take(keywords: "OR") {
          try assembler.join(.and, from: group.conjunctionStart)
          groups[groups.count - 1].conjunctionStart = assembler.count
          isComplete = true
        } else if groups.count == 1 {
          try assembler.join(.and, from: group.conjunctionStart)
          try assembler.join(.or, from: group.start)
          return assembler.expression
        } else {
          try expect(")")
          try close(&groups, &assembler)
          if comparisonOperator(next) != nil { throw error("unexpected \(describe(next))") }
        }
      }
    }
  }

  /// Reads parentheses that open, negations, and the term behind them.
  private mutating func term(_ groups: inout [Group], _ assembler: inout ExpressionAssembler) throws {
    while true {
      if take(symbol: "!") || take(keywords: "NOT") {
        groups[groups.count - 1].negations += 1
      } else if take(symbol: "(") {
        groups.append(Group(start: assembler.count))
      } else {
        break
      }
    }
    var term = try plainTerm()
    while true {
      switch term {
      case .predicate(let predicate):
        try assembler.append(predicate)
        return try negate(&groups, &assembler)
      case .operand(let left):
        // Parentheses around a value, which closes one here and goes on to be compared.
        guard groups.count > 1, let group = groups.popLast(), group.start == assembler.count,
          group.negations == 0
        else { throw missingOperator }
        advance()
        term = try comparison(left, modifier: nil)
      }
    }
  }

  private mutating func plainTerm() throws -> Term {
    if take(keywords: "TRUEPREDICATE") { return .predicate(.constant(true)) }
    if take(keywords: "FALSEPREDICATE") { return .predicate(.constant(false)) }
    return try comparison()
  }

  /// Applies the negations before the term that has just been read.
  private func negate(_ groups: inout [Group], _ assembler: inout ExpressionAssembler) throws {
    if groups[groups.count - 1].negations % 2 == 1 { try assembler.negate() }
    groups[groups.count - 1].negations = 0
  }

  /// Makes the parts of the last group parts of the one around it: as they are where that has the same operator, else as
  /// one.
  private func close(_ groups: inout [Group], _ assembler: inout ExpressionAssembler) throws {
    let inner = groups.removeLast()
    let outer = groups.count - 1
    if inner.isConjunction {
      if groups[outer].negations > 0 { try assembler.join(.and, from: inner.start) }
    } else {
      try assembler.join(.and, from: inner.conjunctionStart)
      let isAlternative = groups[outer].conjunctionStart == inner.start && groups[outer].negations == 0
      if isAlternative && !next.isSymbol("&&") && next.keyword != "AND" {
        groups[outer].conjunctionStart = assembler.count - 1
      } else {
        try assembler.join(.or, from: inner.start)
      }
    }
    try negate(&groups, &assembler)
  }
}
