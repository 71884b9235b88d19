internal import Foundation
internal import LibraryService
internal import PhotoModel

/// What a format string was read as: the tree that rides in the block of an `NSPredicate`.
final class FormatPredicate: Sendable {
    /// The tree, or what is wrong with the format.
    ///
    /// A predicate cannot throw when it is made, so the fetch that uses it does.
    let outcome: Result<PredicateNode, LibraryError>

    init(_ format: String, arguments: PredicateArguments) {
        do throws(PredicateSyntaxError) {
            outcome = .success(try PredicateParser.parse(format, arguments: arguments))
        } catch {
            outcome = .failure(error.libraryError(in: format))
        }
    }

    /// Answers the probe with the tree, and anything else with whether it matches.
    func answer(_ object: Any?, _ bindings: [String: Any]?) -> Bool {
        if let probe = bindings?[PredicateProbe.key] as? PredicateProbe {
            probe.found = self
            return false
        }
        return matches(object)
    }

    /// Whether an object is what a fetch with this predicate would find.
    ///
    /// The library is asked, since only SQLite compares: the answer is the same as the fetch's.
    private func matches(_ object: Any?) -> Bool {
        do throws(LibraryError) {
            let node = try outcome.get()
            guard let object = object as? PHObject, let id = object.rowID,
                let connection = object.batch?.connection
            else {
                throw LibraryError(
                    .invalidRequest,
                    "A predicate with a format can be evaluated with fetched objects only.",
                    reason: "It was given \(object.map { "\(type(of: $0))" } ?? "nil").",
                    recovery: "Use NSPredicate(block:) for objects of other kinds."
                )
            }
            var query = object.queryForItself(id: id)
            query.predicate = node
            return try !query.answer(of: connection.service()).ids.isEmpty
        } catch {
            let connection = (object as? PHObject)?.batch?.connection ?? .current
            connection.reportUnlessUnavailable(error)
            return false
        }
    }
}

/// What a predicate is evaluated with to hear whether it was made from a format.
final class PredicateProbe {
    /// Among the substitution variables, where a client's own block looks for nothing.
    static let key = "photos.predicate-probe"

    var found: FormatPredicate?

    /// The format that a predicate was made from; nil for a client's own block.
    ///
    /// A client's block is called, once, with an object that has no values: it may cast what it is
    /// given to the fetched class.
    static func format(of predicate: NSPredicate, asking object: PHObject) -> FormatPredicate? {
        let probe = PredicateProbe()
        _ = predicate.evaluate(with: object, substitutionVariables: [key: probe])
        return probe.found
    }
}

extension PHObject {
    /// A fetch that finds this object and no other.
    fileprivate func queryForItself(id: Int64) -> AdvanceRequest.Query {
        let ids = RowIDBuffer(CollectionOfOne(id))
        if self is PHCollection { return .collections(CollectionFetchRequest(scope: .rowIDs(ids))) }
        var request = AssetFetchRequest(scope: .rowIDs(ids))
        request.includesHidden = true
        request.includesAllBurstMembers = true
        request.sourceTypes = [.userLibrary, .cloudShared, .computerSynced]
        return .assets(request)
    }
}
