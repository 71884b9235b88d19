internal import Foundation
internal import GRDB
internal import LibraryService
internal import PhotoModel

/// Compiles a predicate tree to one SQL condition with bound arguments.
///
/// Values never become part of the SQL text. Nil follows the rules of predicates rather than SQL: a
/// comparison with nil is true or false, so NOT and `!=` include objects without a value.
struct PredicateCompiler {
    /// The maximum depth of predicate trees; `maximumArguments` is the maximum number of bound
    /// values.
    ///
    /// Both are below SQLite's own limits.
    private static let maximumDepth = 400
    private static let maximumArguments = 32_000

    /// The keys available to the predicate.
    let keys: KeyTable
    private(set) var arguments: [DatabaseValue] = []
    private var depth = 0

    init(_ keys: KeyTable) {
        self.keys = keys
    }

    /// Returns the SQL condition for a tree, and appends its arguments to `arguments` in order of
    /// use.
    mutating func condition(_ node: PredicateNode) throws(LibraryError) -> String {
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.maximumDepth, arguments.count < Self.maximumArguments else {
            throw LibraryError(
                .unsupportedPredicate,
                "The predicate is too large: it has more than \(Self.maximumDepth) levels or more"
                    + " than \(Self.maximumArguments) values.",
                recovery: "Use IN with one list instead of many comparisons."
            )
        }
        switch node {
        case .constant(let value): return value ? "1" : "0"
        case .and(let parts): return try joined(parts, with: " AND ", empty: "1")
        case .or(let parts): return try joined(parts, with: " OR ", empty: "0")
        case .not(let part): return "(\(try condition(part))) IS NOT TRUE"
        case .rowIDs(let ids):
            return "\(keys.idSQL) IN (SELECT value FROM json_each(\(bind(list(ids.ids)))))"
        case .comparison(let comparison): return try condition(comparison)
        }
    }

    private mutating func joined(
        _ parts: [PredicateNode],
        with separator: String,
        empty: String
    ) throws(LibraryError) -> String {
        guard !parts.isEmpty else { return empty }
        var conditions: [String] = []
        for part in parts { conditions.append("(\(try condition(part)))") }
        // Combined pairwise, since SQLite limits the depth of a condition but not its width.
        while conditions.count > 2 {
            conditions = stride(from: 0, to: conditions.count, by: 2).map { index in
                index + 1 < conditions.count
                    ? "(\(conditions[index])\(separator)\(conditions[index + 1]))"
                    : conditions[index]
            }
        }
        return conditions.joined(separator: separator)
    }

    // MARK: - Comparisons

    private mutating func condition(
        _ comparison: PredicateComparison
    ) throws(LibraryError) -> String {
        if let condition = try identity(comparison) { return condition }
        if let condition = try membership(comparison) { return condition }
        let kind = try commonKind(comparison)
        switch comparison.operator {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
            return try relation(comparison, kind: kind)
        case .between: return try range(comparison, kind: kind)
        case .in: return try list(comparison, kind: kind)
        case .beginsWith, .endsWith, .contains, .like, .matches:
            return try text(comparison, kind: kind)
        }
    }

    private mutating func relation(
        _ comparison: PredicateComparison,
        kind: ValueKind
    ) throws(LibraryError) -> String {
        let symbol =
            switch comparison.operator {
            case .equal: "IS"
            case .notEqual: "IS NOT"
            case .less: "<"
            case .lessOrEqual: "<="
            case .greater: ">"
            default: ">="
            }
        if kind == .location, !comparison.isWithNil || symbol.count == 1 || symbol.hasSuffix("=") {
            throw unsupported(comparison, "a location can only be compared with nil, by = and !=")
        }
        let left = try operand(comparison.left, kind: kind, options: comparison.options)
        let right = try operand(comparison.right, kind: kind, options: comparison.options)
        // SQLite uses an index for IS with a bound value only if it knows the value. The operator =
        // is used where neither side can be nil.
        let isPlain = !comparison.left.mayBeNil(keys) && !comparison.right.mayBeNil(keys)
        let plain = symbol == "IS" ? "=" : symbol == "IS NOT" ? "<>" : symbol
        let equalsValue =
            symbol == "IS" && !(comparison.left.mayBeNil(keys) && comparison.right.mayBeNil(keys))
        let condition = "\(left) \(isPlain || equalsValue ? plain : symbol) \(right)"
        guard comparison.operator == .equal, case .value(let value) = comparison.right,
            value != .null, let column = indexedColumn(comparison)
        else { return condition }
        let bound = try operand(comparison.right, kind: kind, options: [])
        return "(\(condition) AND \(column) = \(bound))"
    }

    /// Returns the column whose index can find the objects that satisfy an equality or IN, in
    /// addition to the comparison itself; nil if the comparison needs no additional column.
    private func indexedColumn(_ comparison: PredicateComparison) -> String? {
        guard comparison.options.isEmpty, case .key(let name, _) = comparison.left else {
            return nil
        }
        return keys.named(name)?.indexedColumn
    }

    private mutating func range(
        _ comparison: PredicateComparison,
        kind: ValueKind
    ) throws(LibraryError) -> String {
        guard case .list(let bounds) = comparison.right, bounds.count == 2 else {
            throw unsupported(comparison, "BETWEEN takes a list of two values")
        }
        let value = try operand(comparison.left, kind: kind, options: [])
        let low = try operand(bounds[0], kind: kind, options: [])
        let high = try operand(bounds[1], kind: kind, options: [])
        return "\(value) BETWEEN \(low) AND \(high)"
    }

    private mutating func list(
        _ comparison: PredicateComparison,
        kind: ValueKind
    ) throws(LibraryError) -> String {
        guard case .list(let items) = comparison.right else {
            // A text IN another text tests for a substring.
            if kind == .text {
                let swapped = PredicateComparison(
                    comparison.right,
                    .contains,
                    comparison.left,
                    options: comparison.options
                )
                return try text(swapped, kind: kind)
            }
            throw unsupported(comparison, "IN takes a list")
        }
        let options = comparison.options
        let present = items.filter { !$0.isNil }
        if present.count < items.count {
            // In SQL, IN never matches NULL, but a predicate's list that contains nil matches
            // objects without a value.
            let isNil = PredicateComparison(comparison.left, .equal, .value(.null))
            let isPresent = PredicateComparison(
                comparison.left,
                .in,
                .list(present),
                options: options
            )
            return try condition(.or([.comparison(isPresent), .comparison(isNil)]))
        }
        let left = try operand(comparison.left, kind: kind, options: options)
        guard options.isEmpty, let json = Self.json(items, kind: kind) else {
            guard items.count <= 10_000 else {
                throw unsupported(
                    comparison,
                    "the list has more than 10,000 values of that type"
                )
            }
            var marks: [String] = []
            for item in items { marks.append(try operand(item, kind: kind, options: options)) }
            return "\(left) IN (\(marks.joined(separator: ", ")))"
        }
        let condition = "\(left) IN (SELECT value FROM json_each(\(bind(json))))"
        guard let column = indexedColumn(comparison) else { return condition }
        return "(\(condition) AND \(column) IN (SELECT value FROM json_each(\(bind(json)))))"
    }

    private mutating func text(
        _ comparison: PredicateComparison,
        kind: ValueKind
    ) throws(LibraryError) -> String {
        guard kind == .text || kind == .unknown else {
            throw unsupported(comparison, "only strings can be compared this way")
        }
        if comparison.operator == .like || comparison.operator == .matches {
            let isLike = comparison.operator == .like
            if !isLike, case .value(.string(let pattern)) = comparison.right,
                StringFunctions.expression(pattern) == nil
            {
                throw unsupported(comparison, "\"\(pattern)\" is not a regular expression")
            }
            let left = try operand(comparison.left, kind: .text, options: [])
            let right = try operand(comparison.right, kind: .text, options: [])
            let name = isLike ? "ph_like" : "ph_matches"
            return "\(name)(\(left), \(right), \(comparison.options.rawValue))"
        }
        // Each side may appear twice and is then bound twice.
        func side(_ expression: PredicateTerm) throws(LibraryError) -> String {
            try operand(expression, kind: .text, options: comparison.options)
        }
        switch comparison.operator {
        case .contains:
            let left = try side(comparison.left)
            return "instr(\(left), \(try side(comparison.right))) > 0"
        case .beginsWith:
            let left = try side(comparison.left)
            let length = try side(comparison.right)
            return "substr(\(left), 1, length(\(length))) = \(try side(comparison.right))"
        default:
            let left = try side(comparison.left)
            let leftLength = try side(comparison.left)
            let rightLength = try side(comparison.right)
            let tail = "substr(\(left), length(\(leftLength)) - length(\(rightLength)) + 1)"
            return "\(tail) = \(try side(comparison.right))"
        }
    }

    // MARK: - Objects and lists of texts

    /// Compiles comparisons of objects and local identifiers so that they use the unique UUID
    /// index.
    private mutating func identity(
        _ comparison: PredicateComparison
    ) throws(LibraryError) -> String? {
        guard comparison.left.isIdentity(keys) || comparison.right.isIdentity(keys) else {
            return nil
        }
        let (key, other) =
            comparison.left.isIdentity(keys)
            ? (comparison.left, comparison.right) : (comparison.right, comparison.left)
        guard comparison.options.isEmpty || key.isSelf else { return nil }
        switch comparison.operator {
        case .equal, .notEqual:
            guard let values = try identifiers([other], comparison) else { return nil }
            let condition = "\(identityColumn) IN (SELECT value FROM json_each(\(bind(values))))"
            return comparison.operator == .equal ? condition : "NOT " + condition
        case .in:
            guard case .list(let items) = comparison.right,
                let values = try identifiers(items, comparison)
            else { return nil }
            return "\(identityColumn) IN (SELECT value FROM json_each(\(bind(values))))"
        case .beginsWith where !key.isSelf:
            return identifierRange(comparison)
        default:
            guard !key.isSelf else {
                throw unsupported(comparison, "objects can only be compared by =, != and IN")
            }
            return nil
        }
    }

    /// Compiles a prefix match of identifiers to a range of the UUID index.
    ///
    /// Nil if the other side is not a prefix of a UUID.
    private mutating func identifierRange(_ comparison: PredicateComparison) -> String? {
        guard case .value(.string(let text)) = comparison.right, comparison.left.isIdentity(keys),
            (1...36).contains(text.utf8.count),
            text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || Self.digits.contains($0) })
        else { return nil }
        let column = keys.table + ".uuid"
        // G sorts after all characters of a UUID.
        return "(\(column) >= \(bind(text)) AND \(column) < \(bind(text + "G")))"
    }

    private static let digits = Set("0123456789ABCDEF".utf8)

    /// The column or expression to compare with the list that `identifiers` returns.
    private var identityColumn: String {
        // The UUID is sufficient only if all objects are of one kind.
        keys.kinds.count == 1 ? keys.table + ".uuid" : keys.identifierSQL
    }

    /// Returns a JSON list of the identifiers in the given terms, to compare with `identityColumn`;
    /// nil if any term is not a constant.
    ///
    /// A text that is not an identifier of such an object matches none. A bare UUID is valid, as in
    /// fetches of assets by identifier (behavior 22).
    private func identifiers(
        _ items: [PredicateTerm],
        _ comparison: PredicateComparison
    ) throws(LibraryError) -> String? {
        var texts: [String] = []
        for item in items {
            guard case .value(let value) = item else { return nil }
            switch value {
            case .string(let text), .object(let text):
                guard let identifier = LocalIdentifier(text), keys.kinds.contains(identifier.kind),
                    identifier.description == text || identifier.uuid == text
                else { continue }
                texts.append(keys.kinds.count == 1 ? identifier.uuid : identifier.description)
            case .null: continue
            default: throw unsupported(comparison, "an identifier is a string")
            }
        }
        return JournalValue.encode(strings: texts)
    }

    /// Compiles `keywords CONTAINS x`, `places CONTAINS x` and `x IN keywords`, which match whole
    /// elements of the list.
    private mutating func membership(
        _ comparison: PredicateComparison
    ) throws(LibraryError) -> String? {
        let isLeft = try key(comparison.left)?.isList ?? false
        let isRight = try key(comparison.right)?.isList ?? false
        guard isLeft || isRight else { return nil }
        let (list, item) =
            isLeft ? (comparison.left, comparison.right) : (comparison.right, comparison.left)
        let isAsked =
            isLeft ? [.contains, .equal].contains(comparison.operator) : comparison.operator == .in
        guard isAsked, let column = try self.key(list) else {
            throw unsupported(
                comparison,
                "a list of strings can only be searched with CONTAINS"
            )
        }
        let value = try operand(item, kind: .text, options: comparison.options)
        if column.kind == .places {
            return "ph_is_in(\(column.sql), \(value), \(comparison.options.rawValue))"
        }
        let member = folded("value", comparison.options)
        return "EXISTS (SELECT 1 FROM json_each(\(column.sql)) WHERE \(member) = \(value))"
    }

    // MARK: - Operands

    private mutating func operand(
        _ expression: PredicateTerm,
        kind: ValueKind,
        options: PredicateComparison.Options
    ) throws(LibraryError) -> String {
        switch expression {
        case .key(let name, let position):
            guard let key = keys.named(name) else { throw unknown(name, position) }
            let sql = key.kind == .identifier ? keys.identifierSQL : key.sql
            return kind == .text ? folded(sql, options) : sql
        case .selfObject: return keys.identifierSQL
        case .value(.bool(let flag)): return flag ? "1" : "0"  // literal: partial indexes need it
        case .value(let value):
            let mark = bind(Self.databaseValue(value))
            return kind == .text ? folded(mark, options) : mark
        case .binary(let left, let symbol, let right):
            let left = try operand(left, kind: kind, options: [])
            let right = try operand(right, kind: kind, options: [])
            return "(\(left) \(symbol.rawValue) \(right))"
        case .negated(let part): return "(-\(try operand(part, kind: kind, options: [])))"
        case .list:
            throw LibraryError(
                .unsupportedPredicate,
                "The predicate has a list where one value is needed.",
                recovery: "Use IN or BETWEEN with a list."
            )
        }
    }

    private func folded(_ sql: String, _ options: PredicateComparison.Options) -> String {
        options.isEmpty ? sql : "ph_fold(\(sql), \(options.rawValue))"
    }

    private mutating func bind(_ value: some DatabaseValueConvertible) -> String {
        arguments.append(value.databaseValue)
        return "?"
    }

    private func list(_ ids: ContiguousArray<Int64>) -> String {
        "[" + ids.map(String.init).joined(separator: ",") + "]"
    }

    private static func databaseValue(_ value: PredicateValue) -> DatabaseValue {
        switch value {
        case .null: .null
        case .bool(let value): value.databaseValue
        case .integer(let value): value.databaseValue
        case .real(let value): value.databaseValue
        case .string(let value), .object(let value): value.databaseValue
        case .date(let value): value.timeIntervalSinceReferenceDate.databaseValue
        }
    }

    /// Encodes a list of texts or integers as JSON, so that one SQL argument holds the whole list.
    private static func json(_ items: [PredicateTerm], kind: ValueKind) -> String? {
        guard kind == .text || kind == .number else { return nil }
        var texts: [String] = []
        var numbers: [String] = []
        for case .value(let value) in items {
            switch value {
            case .string(let text), .object(let text): texts.append(text)
            case .integer(let number): numbers.append(String(number))
            case .bool(let flag): numbers.append(flag ? "1" : "0")
            default: return nil
            }
        }
        if texts.count == items.count { return JournalValue.encode(strings: texts) }
        if numbers.count == items.count { return "[\(numbers.joined(separator: ","))]" }
        return nil
    }
}
