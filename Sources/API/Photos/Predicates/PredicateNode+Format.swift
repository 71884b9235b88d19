internal import Foundation
internal import LibraryService

extension PredicateNode {
    /// The predicate in Foundation's notation, with its arguments inserted.
    ///
    /// Parsing it again gives the same tree. Objects of the library are written as their
    /// identifiers.
    var format: String {
        switch self {
        case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .and(let nodes): Self.joined(nodes, by: " AND ", empty: "TRUEPREDICATE")
        case .or(let nodes): Self.joined(nodes, by: " OR ", empty: "FALSEPREDICATE")
        case .not(let node): "NOT " + node.operand
        case .comparison(let comparison): comparison.format
        case .rowIDs: "BLOCKPREDICATE"
        }
    }

    private static func joined(_ nodes: [PredicateNode], by word: String, empty: String) -> String {
        nodes.isEmpty ? empty : nodes.map(\.operand).joined(separator: word)
    }

    /// The format, in parentheses if the predicate is a conjunction or a disjunction.
    private var operand: String {
        switch self {
        case .and, .or: "(\(format))"
        case .constant, .not, .comparison, .rowIDs: format
        }
    }
}

extension PredicateComparison {
    fileprivate var format: String {
        let letters =
            (options.contains(.caseInsensitive) ? "c" : "")
            + (options.contains(.diacriticInsensitive) ? "d" : "")
        let marks = letters.isEmpty ? "" : "[\(letters)]"
        return "\(left.format) \(`operator`.format)\(marks) \(right.format)"
    }
}

extension PredicateComparison.Operator {
    fileprivate var format: String {
        switch self {
        case .equal: "=="
        case .notEqual: "!="
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        case .between: "BETWEEN"
        case .in: "IN"
        case .beginsWith: "BEGINSWITH"
        case .endsWith: "ENDSWITH"
        case .contains: "CONTAINS"
        case .like: "LIKE"
        case .matches: "MATCHES"
        }
    }
}

extension PredicateTerm {
    fileprivate var format: String {
        switch self {
        case .key(let name, _): PredicateParser.isKey(name) ? name : "SELF." + name
        case .selfObject: "SELF"
        case .value(let value): value.format
        case .list(let terms): "{\(terms.map(\.format).joined(separator: ", "))}"
        case .binary(let left, let operation, let right):
            "\(left.operand) \(operation.rawValue) \(right.operand)"
        case .negated(let term): "-" + term.operand
        }
    }

    private var operand: String {
        switch self {
        case .binary, .negated: "(\(format))"
        case .key, .selfObject, .value, .list: format
        }
    }
}

extension PredicateValue {
    fileprivate var format: String {
        switch self {
        case .null: "nil"
        case .bool(let value): value ? "YES" : "NO"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .string(let text): Self.quoted(text)
        case .date(let date): "CAST(\(date.timeIntervalSinceReferenceDate), \"NSDate\")"
        case .object(let identifier): Self.quoted(identifier)
        }
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.replacingOccurrences(of: "\\", with: "\\\\")
            .replacingOccurrences(of: "\"", with: "\\\"")
        return "\"\(escaped)\""
    }
}
