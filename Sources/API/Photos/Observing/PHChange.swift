public import Foundation
internal import LibraryService
internal import PhotoModel

/// A change of the photo library: tells what became of results and objects that were fetched before.
///
/// Details lead from the state of the result or object that is asked about, however old it is, to the
/// state that this change stands for. So a program that skipped changes, or keeps an old result, still
/// gets steps that fit. While observers run the answers agree with each other; of a change that is
/// kept for longer than some seconds they lead to the present state, and later changes go on from
/// there.
///
/// Can be used from any thread.
open class PHChange: NSObject, @unchecked Sendable {
    // Unchecked because the class is open; its one stored property is immutable and Sendable.

    private let state: ChangeState?

    /// A change that tells nothing.
    ///
    /// Programs subclass it as a test double, and override the methods that begin with two lines.
    public override init() {
        state = nil
        super.init()
    }

    init(_ state: ChangeState) {
        self.state = state
        super.init()
    }

    /// What became of an object: nil when it is as it was.
    ///
    /// Going to Recently Deleted is a deletion.
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

    /// What became of a fetch result: nil when it holds the same objects in the same order, and none
    /// of them changed.
    ///
    /// Keep ``PHFetchResultChangeDetails/fetchResultAfterChanges`` for the next change.
    ///
    /// Costs what changed and one pass over the result, not another fetch.
    public func changeDetails<T>(
        for fetchResult: PHFetchResult<T>
    ) -> PHFetchResultChangeDetails<T>? where T: PHObject {
        guard let details = __changeDetails(for: fetchResult.converted()) else { return nil }
        return details as? PHFetchResultChangeDetails<T>
            ?? PHFetchResultChangeDetails(before: fetchResult, like: details)
    }

    /// What a test double overrides to tell what became of an object.
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

    /// What a test double overrides to tell what became of a fetch result.
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
