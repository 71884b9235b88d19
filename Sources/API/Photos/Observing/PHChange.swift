public import Foundation
internal import LibraryService
internal import PhotoModel

/// A change to the photo library, with change details for previously fetched results and objects.
///
/// Details lead from the state of the result or object in question, however old it is, to the state
/// that this change represents. A program that skipped changes, or keeps an old result, therefore
/// still gets valid steps. While observers run, all details are consistent with each other. If a
/// change is kept for more than some seconds, its details lead to the present state, and later
/// changes continue from there.
///
/// It can be used from any thread.
open class PHChange: NSObject, @unchecked Sendable {
    // Unchecked because the class is open. Its one stored property is immutable and Sendable.

    private let state: ChangeState?

    /// Creates a change without details.
    ///
    /// Programs subclass it to make a test double, and override the methods that begin with two
    /// underscores.
    public override init() {
        state = nil
        super.init()
    }

    init(_ state: ChangeState) {
        self.state = state
        super.init()
    }

    /// Returns the change details of an object, or nil if the object is unchanged.
    ///
    /// Moving an asset to Recently Deleted counts as a deletion.
    public func changeDetails<T>(for object: T) -> PHObjectChangeDetails<T>? where T: PHObject {
        guard let details = __changeDetails(for: object as PHObject) else { return nil }
        return details as? PHObjectChangeDetails<T>
            ?? PHObjectChangeDetails(
                before: object,
                after: details.objectAfterChanges as? T,
                contentChanged: details.assetContentChanged,
                wasDeleted: details.objectWasDeleted
            )
    }

    /// Returns the change details of a fetch result, or nil if its objects and their order are
    /// unchanged.
    ///
    /// Keep ``PHFetchResultChangeDetails/fetchResultAfterChanges`` for the next change.
    ///
    /// The cost depends on the number of changes, plus one pass over the result. No new fetch is
    /// made.
    public func changeDetails<T>(
        for fetchResult: PHFetchResult<T>
    ) -> PHFetchResultChangeDetails<T>? where T: PHObject {
        guard let details = __changeDetails(for: fetchResult.converted()) else { return nil }
        return details as? PHFetchResultChangeDetails<T>
            ?? PHFetchResultChangeDetails(before: fetchResult, like: details)
    }

    /// Returns the change details of an object; test doubles override this method.
    open func __changeDetails(for object: PHObject) -> PHObjectChangeDetails<PHObject>? {
        guard let state else { return nil }
        do throws(LibraryError) {
            guard let outcome = try state.outcome(for: object) else { return nil }
            return PHObjectChangeDetails(
                before: object,
                after: outcome.after,
                contentChanged: outcome.contentChanged,
                wasDeleted: outcome.after == nil
            )
        } catch {
            state.connection.reportUnlessUnavailable(error)
            return nil
        }
    }

    /// Returns the change details of a fetch result; test doubles override this method.
    open func __changeDetails(
        for fetchResult: PHFetchResult<AnyObject>
    ) -> PHFetchResultChangeDetails<PHObject>? {
        guard let state, let objects = fetchResult.objects, let track = objects.track,
            track.connection === state.connection,
            state.to.isLater(than: track.own.snapshot)
        else { return nil }
        do throws(LibraryError) {
            guard case .changed(let answer, let steps) = try state.outcome(for: track) else {
                return nil
            }
            return PHFetchResultChangeDetails(
                from: PHFetchResult(objects),
                to: PHFetchResult(objects.successor(with: answer)),
                steps: steps
            )
        } catch {
            state.connection.reportUnlessUnavailable(error)
            return nil
        }
    }
}
