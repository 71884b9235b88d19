internal import Foundation
internal import LibraryService
internal import PhotoModel

/// A client's predicate, split into parts for SQLite and parts that only the client can evaluate.
indirect enum PredicatePlan {
    /// A predicate that SQLite evaluates.
    case decided(PredicateNode)
    /// A predicate that only the client's code can evaluate.
    case closure(NSPredicate)
    case and([PredicatePlan])
    case or([PredicatePlan])
    case not(PredicatePlan)

    /// Splits a predicate.
    ///
    /// - Parameter predicate: The client's predicate.
    /// - Throws: The error in a format within the predicate.
    init(_ predicate: NSPredicate) throws(LibraryError) {
        try self.init(predicate, depth: 0)
    }

    /// The maximum depth of a predicate tree.
    ///
    /// Nested compounds of one kind, such as an AND inside an AND, count as one level. The depth is
    /// limited because that of stacks, SQL statements and JSON is.
    static let depthLimit = 90

    /// The maximum nesting depth of a client's compound predicates, where every compound counts as
    /// a level.
    ///
    /// In `depthLimit`, by contrast, an AND inside an AND does not count as another level.
    private static let compoundLimit = 1000

    private static let tooDeep = LibraryError(
        .malformedPredicate,
        "The predicate is nested too deeply.",
        reason: "At most \(depthLimit) alternations of AND, OR and NOT can be answered.",
        recovery: "Combine subpredicates of one type in one compound predicate."
    )

    private init(_ predicate: NSPredicate, depth: Int) throws(LibraryError) {
        guard depth < Self.compoundLimit else { throw Self.tooDeep }
        // Compounds come first, because Foundation considers each equal to the predicate that is
        // always false.
        if let compound = predicate as? NSCompoundPredicate {
            var plans: [PredicatePlan] = []
            for subpredicate in compound.subpredicates {
                plans.append(try PredicatePlan(subpredicate, depth: depth + 1))
            }
            self = Self.compound(compound, plans)
        } else if let format = predicate as? FormattedPredicate {
            self = .decided(try format.outcome.get())
        } else if predicate.isEqual(NSPredicate(value: true)) {
            self = .decided(.constant(true))
        } else if predicate.isEqual(NSPredicate(value: false)) {
            self = .decided(.constant(false))
        } else {
            self = .closure(predicate)
        }
    }

    private static func compound(
        _ predicate: NSCompoundPredicate,
        _ plans: [PredicatePlan]
    ) -> PredicatePlan {
        let nodes = plans.compactMap(\.node)
        if nodes.count < plans.count {
            // All are closures: the client's own compound evaluates them in its order, with
            // short-circuiting.
            if plans.allSatisfy(\.isClosure) { return .closure(predicate) }
            return switch predicate.compoundPredicateType {
            case .and: .and(plans)
            case .or: .or(plans)
            case .not: .not(plans[0])
            }
        }
        return switch predicate.compoundPredicateType {
        case .and: .decided(.and(nodes.flatMap { $0.conjuncts }))
        case .or: .decided(.or(nodes.flatMap { $0.disjuncts }))
        case .not: .decided(nodes.first.map { .not($0) } ?? .constant(true))
        }
    }

    private var node: PredicateNode? {
        if case .decided(let node) = self { node } else { nil }
    }

    private var isClosure: Bool {
        if case .closure = self { true } else { false }
    }

    // MARK: - Closures

    /// The closure predicates, in the order in which they occur in the tree.
    var closures: [NSPredicate] {
        switch self {
        case .decided: []
        case .closure(let predicate): [predicate]
        case .and(let plans), .or(let plans): plans.flatMap(\.closures)
        case .not(let plan): plan.closures
        }
    }

    /// The conditions that every matching object satisfies and that SQLite can evaluate.
    ///
    /// They narrow down the candidates for the closures.
    var guaranteed: [PredicateNode] {
        switch self {
        case .decided(let node): [node]
        case .and(let plans): plans.flatMap(\.guaranteed)
        case .closure, .or, .not: []
        }
    }

    /// Returns the predicate tree for SQLite, with closures replaced by the lists of objects that
    /// they matched.
    ///
    /// - Parameter answers: For each closure, in the order of `closures`, the objects that it
    ///   matched.
    /// - Returns: A tree without closures.
    /// - Throws: `malformedPredicate` if the tree is nested too deeply.
    func node(answers: [RowIDBuffer]) throws(LibraryError) -> PredicateNode {
        var remaining = answers[...]
        let node = node(&remaining)
        guard node.depth <= Self.depthLimit else { throw Self.tooDeep }
        return node
    }

    private func node(_ answers: inout ArraySlice<RowIDBuffer>) -> PredicateNode {
        switch self {
        case .decided(let node): node
        case .closure: .rowIDs(answers.popFirst() ?? RowIDBuffer())
        case .and(let plans): .and(plans.map { $0.node(&answers) })
        case .or(let plans): .or(plans.map { $0.node(&answers) })
        case .not(let plan): .not(plan.node(&answers))
        }
    }
}

extension PredicateNode {
    /// The operands if the node is a conjunction, otherwise the node itself.
    ///
    /// Combining them avoids an AND inside an AND.
    fileprivate var conjuncts: [PredicateNode] {
        if case .and(let nodes) = self { nodes } else { [self] }
    }

    /// The operands if the node is a disjunction, otherwise the node itself.
    ///
    /// Combining them avoids an OR inside an OR.
    fileprivate var disjuncts: [PredicateNode] {
        if case .or(let nodes) = self { nodes } else { [self] }
    }

    fileprivate var depth: Int {
        switch self {
        case .constant, .comparison, .rowIDs: 1
        case .and(let nodes), .or(let nodes): 1 + (nodes.map(\.depth).max() ?? 0)
        case .not(let node): 1 + node.depth
        }
    }
}
