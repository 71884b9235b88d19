internal import Foundation
public import Photos

/// Changes of a photo library, as they come.
///
/// ```swift
/// for await change in PHPhotoLibrary.shared().changes {
///     guard let details = change.changeDetails(for: result) else { continue }
///     result = details.fetchResultAfterChanges
/// }
/// ```
///
/// It begins when it is made, not when somebody iterates. While its reader is busy changes are put
/// together: the reader gets the latest, and since details lead from a result's own state, that one
/// tells everything. Ending the iteration, or cancelling its task, ends the observing.
///
/// One task at a time may iterate.
public struct PhotoLibraryChanges: AsyncSequence, Sendable {
    /// A change.
    public typealias Element = PHChange
    /// It never fails.
    public typealias Failure = Never

    private let stream: AsyncStream<PHChange>

    init(of library: PHPhotoLibrary) {
        // The latest change stands for those before it.
        let (stream, continuation) = AsyncStream.makeStream(
            of: PHChange.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let observer = ChangeForwarder(continuation)
        library.register(observer)
        // Also what keeps the observer and the library alive.
        continuation.onTermination = { _ in library.unregisterChangeObserver(observer) }
        self.stream = stream
    }

    /// Goes through the changes.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncStream<PHChange>.Iterator

        /// The next change; nil once the task was cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async -> PHChange? {
            await base.next(isolation: actor)
        }
    }

    /// Starts to wait for changes.
    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }
}

extension PHPhotoLibrary {
    /// The changes from now on of what was fetched, as they come.
    ///
    /// Each use makes a sequence of its own.
    public var changes: PhotoLibraryChanges { PhotoLibraryChanges(of: self) }
}

/// Hands changes on to a stream.
private final class ChangeForwarder: NSObject, PHPhotoLibraryChangeObserver, Sendable {
    private let continuation: AsyncStream<PHChange>.Continuation

    init(_ continuation: AsyncStream<PHChange>.Continuation) {
        self.continuation = continuation
        super.init()
    }

    func photoLibraryDidChange(_ changeInstance: PHChange) {
        continuation.yield(changeInstance)
    }
}
