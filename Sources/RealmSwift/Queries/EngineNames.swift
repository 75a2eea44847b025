import QueryEngine

// Foundation has types of the same names; here those of the query engine are meant.
typealias Predicate = QueryEngine.Predicate
typealias PredicateExpression = QueryEngine.PredicateExpression
typealias PredicateError = QueryEngine.PredicateError
