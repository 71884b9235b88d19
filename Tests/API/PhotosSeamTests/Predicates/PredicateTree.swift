import LibraryService
import PhotoModel
import Photos

/// Returns the predicate that a fetch sends to the library.
func tree(_ predicate: NSPredicate) throws -> PredicateNode? {
    let library = FakeLibrary()
    let options = PHFetchOptions()
    options.predicate = predicate
    return try library.use {
        _ = try PHAsset.fetchAssetsChecked(options: options)
        return library.requests.last?.predicate
    }
}

/// Returns the error of a fetch with a predicate.
func failure(_ predicate: NSPredicate) -> LibraryError? {
    do {
        _ = try tree(predicate)
        return nil
    } catch {
        return (error as? PHPhotosError)?.libraryError
    }
}

/// Returns a comparison whose left side is a key.
func compare(
    _ key: String,
    _ operation: PredicateComparison.Operator,
    _ right: PredicateTerm,
    at position: Int = 0,
    _ options: PredicateComparison.Options = []
) -> PredicateNode {
    .comparison(
        PredicateComparison(.key(key, position: position), operation, right, options: options)
    )
}

extension PredicateTerm {
    static func integer(_ value: Int64) -> PredicateTerm { .value(.integer(value)) }
    static func text(_ value: String) -> PredicateTerm { .value(.string(value)) }
}
