package import FoundationEssentials
package import PhotoModel

/// The progress of a call.
package struct CallProgress: Codable, Hashable, Sendable {
    /// The number of completed steps.
    package var completed: Int64
    /// The total number of steps; 0 if it is unknown.
    package var total: Int64

    package init(completed: Int64, total: Int64) {
        self.completed = completed
        self.total = total
    }
}

/// The context of a call in progress: its cancellation, its progress handler and its change
/// identifier.
///
/// A client sets the context for its calls, and a daemon for the thread on which it performs a
/// call. The engine reads it:
///
///     try CallContext.current?.checkCancellation()
package struct CallContext: Sendable {
    /// The context of the calls that this thread or task makes or performs.
    @TaskLocal package static var current: CallContext?

    /// The cancellation of the call; nil for a call that cannot be canceled.
    package var cancellation: CallCancellation?
    /// Receives the progress of the call; nil if the progress is not needed.
    ///
    /// A client's handler runs on the thread that makes the call, while it waits.
    package var progress: (@Sendable (CallProgress) -> Void)?
    /// The identifier under which the reply to a change is stored; nil for reads and for in-process
    /// calls.
    ///
    /// A change is thus made only once, even if its request is sent again.
    ///
    /// The code that makes the change stores the reply, as JSON, in the transaction of the change.
    package var change: UUID?

    package init(
        cancellation: CallCancellation? = nil,
        progress: (@Sendable (CallProgress) -> Void)? = nil,
        change: UUID? = nil
    ) {
        self.cancellation = cancellation
        self.progress = progress
        self.change = change
    }

    /// Performs work with this context as the current one.
    ///
    /// - Parameter work: The work, on this thread.
    /// - Returns: The result of the work.
    /// - Throws: The error of the work.
    package func perform<Value, Failure: Error>(
        _ work: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let result = Self.$current.withValue(self) { () -> Result<Value, Failure> in
            do throws(Failure) {
                return .success(try work())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Indicates whether the call is canceled.
    package var isCancelled: Bool { cancellation?.isCancelled ?? false }

    /// Fails with `cancelled` if the call is canceled.
    package func checkCancellation() throws(LibraryError) {
        if isCancelled { throw .cancelled }
    }
}

extension LibraryError {
    /// The error of a canceled call.
    package static let cancelled = LibraryError(.cancelled, "The operation was canceled.")
}
