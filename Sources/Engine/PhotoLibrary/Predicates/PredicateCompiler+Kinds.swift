internal import LibraryService
internal import PhotoModel

/// The type that both sides of a comparison share.
enum ValueKind: Hashable {
    case number
    case text
    case date
    case location
    /// The type of a comparison that contains only untyped constants, such as nil.
    case unknown

    var words: String {
        switch self {
        case .number: "a number"
        case .text: "a text"
        case .date: "a date"
        case .location: "a place"
        case .unknown: "nil"
        }
    }
}

extension PredicateCompiler {
    /// Returns the type that all parts of a comparison share; throws an error if the types differ.
    func commonKind(_ comparison: PredicateComparison) throws(LibraryError) -> ValueKind {
        var common = ValueKind.unknown
        for side in [comparison.left, comparison.right] {
            for kind in try kinds(side, comparison) where kind != .unknown {
                guard common == .unknown || common == kind else {
                    throw unsupported(
                        comparison,
                        "\(common.words) cannot be compared with \(kind.words)"
                    )
                }
                common = kind
            }
        }
        return common
    }

    private func kinds(
        _ expression: PredicateTerm,
        _ comparison: PredicateComparison
    ) throws(LibraryError) -> Set<ValueKind> {
        switch expression {
        case .key(let name, let position):
            guard let key = keys.named(name) else { throw unknown(name, position) }
            return [key.valueKind]
        case .selfObject: return [.text]
        case .value(let value): return [value.kind]
        case .list(let items):
            var all: Set<ValueKind> = []
            for item in items { all.formUnion(try kinds(item, comparison)) }
            return all
        case .binary(let left, _, let right):
            let all = try kinds(left, comparison).union(kinds(right, comparison))
            guard all.isSubset(of: [.number, .unknown]) else {
                throw unsupported(comparison, "arithmetic requires numbers")
            }
            return all
        case .negated(let part): return try kinds(part, comparison)
        }
    }

    func unknown(_ name: String, _ position: Int?) -> LibraryError {
        let place = position.map { " at position \($0)" } ?? ""
        return LibraryError(
            .unsupportedPredicate,
            "The predicate's key \"\(name)\"\(place) is not a property by which \(keys.noun) can"
                + " be fetched.",
            recovery: "Valid keys are: \(keys.names.joined(separator: ", "))."
        )
    }

    /// Returns the entry of the key that a term names; nil if the term is not a key.
    func key(_ term: PredicateTerm) throws(LibraryError) -> FetchKey? {
        guard case .key(let name, let position) = term else { return nil }
        guard let key = keys.named(name) else { throw unknown(name, position) }
        return key
    }

    func unsupported(_ comparison: PredicateComparison, _ reason: String) -> LibraryError {
        let keys = [comparison.left, comparison.right].compactMap(\.firstKey)
        let subject = keys.first.map { name, position in
            "The predicate's comparison of \"\(name)\""
                + (position.map { " at position \($0)" } ?? "")
        }
        return LibraryError(
            .unsupportedPredicate,
            (subject ?? "A comparison of the predicate") + " cannot be evaluated: \(reason).",
            recovery: "Compare with a value of the property's type, or filter with a block."
        )
    }
}

extension FetchKey {
    var valueKind: ValueKind {
        switch kind {
        case .boolean, .integer, .real: .number
        case .date: .date
        case .text, .identifier, .texts, .places: .text
        case .location: .location
        }
    }
}

extension PredicateValue {
    var kind: ValueKind {
        switch self {
        case .null: .unknown
        case .bool, .integer, .real: .number
        case .string, .object: .text
        case .date: .date
        }
    }
}

extension PredicateComparison {
    /// Indicates whether one side is the constant nil.
    var isWithNil: Bool { left.isNil || right.isNil }
}

extension PredicateTerm {
    var isNil: Bool { self == .value(.null) }

    /// Returns whether the value of the term may be nil for a row.
    func mayBeNil(_ keys: KeyTable) -> Bool {
        switch self {
        case .key(let name, _): keys.named(name)?.isNullable ?? true
        case .selfObject: false
        case .value(let value): value == .null
        case .list: false
        case .binary(let left, _, let right): left.mayBeNil(keys) || right.mayBeNil(keys)
        case .negated(let part): part.mayBeNil(keys)
        }
    }

    var isSelf: Bool { self == .selfObject }

    /// Returns whether the term refers to the object itself or its local identifier.
    func isIdentity(_ keys: KeyTable) -> Bool {
        if case .key(let name, _) = self { return keys.named(name)?.kind == .identifier }
        return isSelf
    }

    var firstKey: (name: String, position: Int?)? {
        switch self {
        case .key(let name, let position): (name, position)
        case .selfObject: ("SELF", nil)
        case .value: nil
        case .list(let items): items.lazy.compactMap(\.firstKey).first
        case .binary(let left, _, let right): left.firstKey ?? right.firstKey
        case .negated(let part): part.firstKey
        }
    }
}
