internal import Foundation
internal import LibraryService
internal import PhotoModel

/// A predicate created from a format, as returned by `NSPredicate(format:)`.
final class FormattedPredicate: NSPredicate {
    /// The parsed predicate, or the error in the format.
    ///
    /// Creating a predicate cannot throw, so the fetch that uses the predicate throws the error.
    let outcome: Result<PredicateNode, LibraryError>
    /// The format string as written by the client.
    private let format: String

    init(_ format: String, arguments: PredicateArguments) {
        self.format = format
        let outcome = Self.parse(format, arguments)
        self.outcome = outcome
        super.init { object, _ in Self.matches(object, outcome) }
    }

    /// Returns nil, because predicates cannot be archived.
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

    /// Returns the predicate itself, because it is immutable and Foundation's copy would lose the
    /// format.
    override func copy(with zone: NSZone? = nil) -> Any { self }

    override func copy() -> Any { self }

    /// The format with its arguments in Foundation's notation, or as written if it cannot be
    /// parsed.
    override var predicateFormat: String { (try? outcome.get())?.format ?? format }

    override var description: String { predicateFormat }

    /// Returns whether both predicates have the same format in Foundation's notation.
    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? FormattedPredicate else { return false }
        return other === self || other.predicateFormat == predicateFormat
    }

    override var hash: Int { predicateFormat.hashValue }

    /// Returns whether an object matches, exactly as in a fetch with this predicate.
    ///
    /// The library evaluates the comparison, because only SQLite can do so with the same result as
    /// a fetch.
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
    /// Returns a query that finds only this object.
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
