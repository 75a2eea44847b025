import Storage

final class ConstantFilter: ChunkFilter {
  private let answer: Bool
  var cost: Double { 0 }

  init(_ answer: Bool) { self.answer = answer }

  func filter(_ mask: ChunkMask, chunk number: Int) {
    if !answer { mask.clear() }
  }

  func answerForAll(chunk number: Int) -> Bool? { answer }
}

final class AndFilter: ChunkFilter {
  private let operands: [any ChunkFilter]
  private let totalCost: Double
  var cost: Double { totalCost }

  init(_ operands: [any ChunkFilter]) {
    self.operands = operands.sortedByCost()
    totalCost = operands.reduce(0) { $0 + $1.cost }
  }

  func filter(_ mask: ChunkMask, chunk number: Int) {
    for operand in operands {
      operand.filter(mask, chunk: number)
      if mask.isEmpty { return }
    }
  }

  func answerForAll(chunk number: Int) -> Bool? {
    var answer: Bool? = true
    for operand in operands {
      switch operand.answerForAll(chunk: number) {
      case false: return false
      case nil: answer = nil
      case true: break
      }
    }
    return answer
  }

  /// Of the operand that is tested first.
  func prefetch(chunk number: Int) { operands.first?.prefetch(chunk: number) }
}

final class OrFilter: ChunkFilter {
  private let operands: [any ChunkFilter]
  private let totalCost: Double
  private let matched = ChunkMask.allocate()
  private let result = ChunkMask.allocate()
  var cost: Double { totalCost }

  init(_ operands: [any ChunkFilter]) {
    self.operands = operands.sortedByCost()
    totalCost = operands.reduce(0) { $0 + $1.cost }
  }

  deinit {
    matched.deallocate()
    result.deallocate()
  }

  func filter(_ mask: ChunkMask, chunk number: Int) {
    // `mask` keeps the rows that no operand has taken yet, until the end.
    result.clear()
    for operand in operands {
      matched.copy(mask)
      operand.filter(matched, chunk: number)
      result.formUnion(matched)
      mask.subtract(matched)
      if mask.isEmpty { break }
    }
    mask.copy(result)
  }

  func answerForAll(chunk number: Int) -> Bool? {
    var answer: Bool? = false
    for operand in operands {
      switch operand.answerForAll(chunk: number) {
      case true: return true
      case nil: answer = nil
      case false: break
      }
    }
    return answer
  }

  func prefetch(chunk number: Int) { operands.first?.prefetch(chunk: number) }
}

extension [any ChunkFilter] {
  /// The cheap ones first, otherwise in their order.
  fileprivate func sortedByCost() -> [any ChunkFilter] {
    map { (filter: $0, cost: $0.cost) }.enumerated().sorted {
      ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset)
    }
    .map(\.element.filter)
  }
}

final class NotFilter: ChunkFilter {
  private let operand: any ChunkFilter
  private let matched = ChunkMask.allocate()
  var cost: Double { operand.cost }

  init(_ operand: any ChunkFilter) { self.operand = operand }

  deinit { matched.deallocate() }

  func filter(_ mask: ChunkMask, chunk number: Int) {
    matched.copy(mask)
    operand.filter(matched, chunk: number)
    mask.subtract(matched)
  }

  func answerForAll(chunk number: Int) -> Bool? { operand.answerForAll(chunk: number).map { !$0 } }

  func prefetch(chunk number: Int) { operand.prefetch(chunk: number) }
}
