internal import Foundation
internal import LibraryService
internal import PhotoModel

/// A client's predicate, taken apart into what SQLite can answer and what only the client can.
indirect enum PredicatePlan {
    /// SQLite answers it.
    case decided(PredicateNode)
    /// Only the client's own code can.
    case closure(NSPredicate)
    case and([PredicatePlan])
    case or([PredicatePlan])
    case not(PredicatePlan)

    /// Takes a predicate apart.
    ///
    /// - Parameter predicate: A client's.
    /// - Throws: What is wrong with a format inside it.
    init(_ predicate: NSPredicate) throws(LibraryError) {
        try self.init(predicate, depth: 0)
    }

    /// How deep a tree may be, compounds of one kind inside one another counting once.
    ///
    /// Bounded, since stacks, SQL and JSON are.
    static let depthLimit = 90

    /// How deep compound predicates may be inside one another.
    private static let compoundLimit = 1000

    private static let tooDeep = LibraryError(
        .malformedPredicate,
        "The predicate is nested too deep.",
        reason: "At most \(depthLimit) alternations of AND, OR and NOT can be answered.",
        recovery: "Put subpredicates of one kind into one compound predicate."
    )

    private init(_ predicate: NSPredicate, depth: Int) throws(LibraryError) {
        guard depth < Self.compoundLimit else { throw Self.tooDeep }
        // Compounds first: to Foundation each of them equals the predicate that is always false.
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
            // All closures: the client's own compound evaluates them in its order, stopping early.
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

    // MARK: - The client's part

    /// The closures, in the order of the tree.
    var closures: [NSPredicate] {
        switch self {
        case .decided: []
        case .closure(let predicate): [predicate]
        case .and(let plans), .or(let plans): plans.flatMap(\.closures)
        case .not(let plan): plan.closures
        }
    }

    /// What every match fulfils and SQLite can answer: narrows down what closures are asked about.
    var guaranteed: [PredicateNode] {
        switch self {
        case .decided(let node): [node]
        case .and(let plans): plans.flatMap(\.guaranteed)
        case .closure, .or, .not: []
        }
    }

    /// The whole tree for SQLite, with what the closures said in their places.
    ///
    /// - Parameter answers: Per closure, in the order of `closures`, the objects it said yes to.
    /// - Returns: A tree without closures.
    /// - Throws: `malformedPredicate` when it is nested too deep.
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
    /// What all have to be true, so that ANDs inside an AND do not nest.
    fileprivate var conjuncts: [PredicateNode] {
        if case .and(let nodes) = self { nodes } else { [self] }
    }

    /// Of which one has to be true, so that ORs inside an OR do not nest.
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
