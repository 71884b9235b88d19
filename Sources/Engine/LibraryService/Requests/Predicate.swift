package import FoundationEssentials
package import PhotoModel

/// A predicate as a tree, ready for translation into SQL.
///
/// `Photos` converts client code (format strings, compound predicates) into this form. Keys are
/// still names as the client wrote them.
package indirect enum PredicateNode: Codable, Hashable, Sendable {
    case constant(Bool)
    case and([PredicateNode])
    case or([PredicateNode])
    case not(PredicateNode)
    case comparison(PredicateComparison)
    /// The row ids of the objects that a predicate closure accepted; the client evaluates closures,
    /// because they are never passed to the engine.
    case rowIDs(RowIDBuffer)
}

/// A comparison of two expressions.
package struct PredicateComparison: Codable, Hashable, Sendable {
    package enum Operator: String, Codable, Hashable, Sendable, CaseIterable {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
        /// A comparison with a list of two bounds.
        case between
        /// A test of membership in a list.
        case `in`
        case beginsWith, endsWith, contains
        /// A pattern with `?` for one character and `*` for any number of characters.
        case like
        /// A regular expression that must match the whole string.
        case matches
    }

    /// The options `[c]` and `[d]` after an operator.
    package struct Options: OptionSet, Codable, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let caseInsensitive = Options(rawValue: 1)
        package static let diacriticInsensitive = Options(rawValue: 2)
    }

    package var left: PredicateTerm
    package var `operator`: Operator
    package var right: PredicateTerm
    package var options: Options

    package init(
        _ left: PredicateTerm,
        _ operator: Operator,
        _ right: PredicateTerm,
        options: Options = []
    ) {
        self.left = left
        self.operator = `operator`
        self.right = right
        self.options = options
    }
}

/// A side of a comparison.
package indirect enum PredicateTerm: Codable, Hashable, Sendable {
    /// A key as written, and its character offset in the format string; nil when there is no format
    /// string.
    case key(String, position: Int?)
    /// The fetched object itself, compared by local identifier.
    case selfObject
    case value(PredicateValue)
    case list([PredicateTerm])
    case binary(PredicateTerm, BinaryOperator, PredicateTerm)
    case negated(PredicateTerm)

    package enum BinaryOperator: String, Codable, Hashable, Sendable, CaseIterable {
        case bitAnd = "&", bitOr = "|", add = "+", subtract = "-", multiply = "*", divide = "/"
    }
}

/// A constant in a predicate.
package enum PredicateValue: Codable, Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case string(String)
    case date(Date)
    /// An object, by its local identifier.
    case object(String)
}
