internal import Foundation

extension PHFetchResult {
    /// Returns the same result with another element type; every object must be of that type.
    func converted<Other: AnyObject>() -> PHFetchResult<Other> {
        if let result = self as? PHFetchResult<Other> { return result }
        if let objects { return PHFetchResult<Other>(objects) }
        return PHFetchResult<Other>(ForwardedObjects(self))
    }
}

/// Storage that forwards to a fetch result without storage of its own, such as a test double.
///
/// It makes it possible to convert such a result to another element type.
private struct ForwardedObjects<ObjectType: AnyObject>: FetchedObjects {
    let result: PHFetchResult<ObjectType>

    init(_ result: PHFetchResult<ObjectType>) {
        self.result = result
    }

    var track: FetchTrack? { nil }

    func successor(with answer: FetchTrack.Answer) -> any FetchedObjects { self }

    var count: Int { result.count }

    func object(at index: Int) -> PHObject {
        guard let object = result.object(at: index) as? PHObject else {
            preconditionFailure(
                "PHFetchResult: \(ObjectType.self) is not an object of a photo library"
            )
        }
        return object
    }

    func index(of object: PHObject, in range: Range<Int>) -> Int? {
        range.first { result.object(at: $0) as? PHObject == object }
    }

    func countOfAssets(with mediaType: PHAssetMediaType) -> Int {
        result.countOfAssets(with: mediaType)
    }
}
