import Storage

final class ConstantFilter: ChunkFilter {
  private let answer: Bool
  override var cost: Double { 0 }

  init(_ answer: Bool) { self.answer = answer }

  override func filter(_ mask: ChunkMask, chunk number: Int) {
    if !answer { mask.clear() }
  }

  override func answerForAll(chunk number: Int) -> Bool? { answer }
}

final class AndFilter: ChunkFilter {
  private let operands: [ChunkFilter]
  private let totalCost: Double
  override var cost: Double { totalCost }

  init(_ operands: [ChunkFilter]) {
    self.operands = operands.sortedByCost()
    totalCost = operands.reduce(0) { $0 + $1.cost }
  }

  override func filter(_ mask: ChunkMask, chunk number: Int) {
    for operand in operands {
      operand.filter(mask, chunk: number)
      if mask.isEmpty { return }
    }
  }

  override func answerForAll(chunk number: Int) -> Bool? {
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
}

final class OrFilter: ChunkFilter {
  private let operands: [ChunkFilter]
  private let totalCost: Double
  private let matched = ChunkMask.allocate()
  private let result = ChunkMask.allocate()
  override var cost: Double { totalCost }

  init(_ operands: [ChunkFilter]) {
    self.operands = operands.sortedByCost()
    totalCost = operands.reduce(0) { $0 + $1.cost }
  }

  deinit {
    matched.deallocate()
    result.deallocate()
  }

  override func filter(_ mask: ChunkMask, chunk number: Int) {
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

  override func answerForAll(chunk number: Int) -> Bool? {
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
}

extension [ChunkFilter] {
  /// The cheap ones first, otherwise in their order.
  fileprivate func sortedByCost() -> [ChunkFilter] {
    map { (filter: $0, cost: $0.cost) }.enumerated().sorted {
      ($0.element.cost, $0.offset) < ($1.element.cost, $1.offset)
    }
    .map(\.element.filter)
  }
}

final class NotFilter: ChunkFilter {
  private let operand: ChunkFilter
  private let matched = ChunkMask.allocate()
  override var cost: Double { operand.cost }

  init(_ operand: ChunkFilter) { self.operand = operand }

  deinit { matched.deallocate() }

  override func filter(_ mask: ChunkMask, chunk number: Int) {
    matched.copy(mask)
    operand.filter(matched, chunk: number)
    mask.subtract(matched)
  }

  override func answerForAll(chunk number: Int) -> Bool? { operand.answerForAll(chunk: number).map { !$0 } }
}
