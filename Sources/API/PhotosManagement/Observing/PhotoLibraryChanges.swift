internal import Foundation
public import Photos

/// An asynchronous sequence of changes of a photo library.
///
/// ```swift
/// for await change in PHPhotoLibrary.shared().changes {
///     guard let details = change.changeDetails(for: result) else { continue }
///     result = details.fetchResultAfterChanges
/// }
/// ```
///
/// Observation begins when the sequence is created, not when iteration begins. Changes that arrive
/// while the consumer is busy coalesce into the latest one. No information is lost, since change
/// details start from a result's own state. Ending the iteration, or canceling its task, ends the
/// observation.
///
/// Only one task at a time may iterate.
public struct PhotoLibraryChanges: AsyncSequence, Sendable {
    /// A change.
    public typealias Element = PHChange
    /// The sequence never fails.
    public typealias Failure = Never

    private let stream: AsyncStream<PHChange>

    init(of library: PHPhotoLibrary) {
        // The latest change includes those before it.
        let (stream, continuation) = AsyncStream.makeStream(
            of: PHChange.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let observer = ChangeForwarder(continuation)
        library.register(observer)
        // This closure also keeps the observer and the library alive.
        continuation.onTermination = { _ in library.unregisterChangeObserver(observer) }
        self.stream = stream
    }

    /// The iterator of the changes.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncStream<PHChange>.Iterator

        /// Returns the next change, or nil if the task was canceled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async -> PHChange? {
            await base.next(isolation: actor)
        }
    }

    /// Creates an iterator that waits for changes.
    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }
}

extension PHPhotoLibrary {
    /// An asynchronous sequence of the library's changes from now on.
    ///
    /// Each access creates a new sequence.
    public var changes: PhotoLibraryChanges { PhotoLibraryChanges(of: self) }
}

/// Forwards changes to a stream.
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
