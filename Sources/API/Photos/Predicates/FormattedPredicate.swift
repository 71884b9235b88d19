internal import Foundation
internal import LibraryService
internal import PhotoModel

/// A predicate that was made from a format: what `NSPredicate(format:)` returns.
final class FormattedPredicate: NSPredicate {
    /// The tree, or what is wrong with the format.
    ///
    /// A predicate cannot throw when it is made, so the fetch that uses it does.
    let outcome: Result<PredicateNode, LibraryError>
    /// The format as written.
    private let format: String

    init(_ format: String, arguments: PredicateArguments) {
        self.format = format
        let outcome = Self.parse(format, arguments)
        self.outcome = outcome
        super.init { object, _ in Self.matches(object, outcome) }
    }

    /// Nil: predicates are not archived.
    required init?(coder: NSCoder) { nil }

    private static func parse(
        _ format: String,
        _ arguments: PredicateArguments
    ) -> Result<PredicateNode, LibraryError> {
        do throws(PredicateSyntaxError) {
            return .success(try PredicateParser.parse(format, arguments: arguments))
        } catch {
            return .failure(error.libraryError(in: format))
        }
    }

    /// Itself: predicates never change, and a copy that Foundation made would be a mere block.
    override func copy(with zone: NSZone? = nil) -> Any { self }

    override func copy() -> Any { self }

    /// The format with its arguments, in Foundation's spelling; as written where it cannot be read.
    override var predicateFormat: String { (try? outcome.get())?.format ?? format }

    override var description: String { predicateFormat }

    /// Equal when the formats are, however they were written.
    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? FormattedPredicate else { return false }
        return other === self || other.predicateFormat == predicateFormat
    }

    override var hash: Int { predicateFormat.hashValue }

    /// Whether an object is what a fetch with this predicate would find.
    ///
    /// The library is asked, since only SQLite compares: the answer is the same as the fetch's.
    private static func matches(
        _ object: Any?,
        _ outcome: Result<PredicateNode, LibraryError>
    ) -> Bool {
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
