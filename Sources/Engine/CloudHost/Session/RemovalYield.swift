internal import EmbeddedLibrary
internal import PhotoLibrary
internal import PhotoModel
internal import RemoteLibrary

/// The free space that removals of originals yield.
///
///     removing ──much removed, little freed──▶ paused ──some hours──▶ removing
///
/// Snapshots, clones and other names of a file share its bytes, so removing the file alone frees
/// nothing. Without a limit, all originals would be removed in vain. Thread-safe.
final class RemovalYield: Sendable {
    /// A function that returns the space of a library's volume, after the volume was synced if its
    /// second argument is true.
    typealias Measure = @Sendable (LibraryEngine, Bool) throws(LibraryError) -> VolumeSpace

    private struct State {
        /// The bytes of the originals that were removed since the last judgment.
        var removed: Int64 = 0
        /// The bytes that became free when they were removed.
        var freed: Int64 = 0
        var resumption: SuspendingClock.Instant?
    }

    private static let pause = Duration.seconds(6 * 3_600)

    let measure: Measure
    /// The number of removed bytes from which on the yield is judged.
    private let minimum: Int64
    private let monitor = Monitor(State())

    init(
        minimum: Int64 = 1 << 30,
        measure: @escaping Measure = { engine, isSettled throws(LibraryError) in
            try engine.volumeSpace(isSettled: isSettled)
        }
    ) {
        self.minimum = minimum
        self.measure = measure
    }

    /// Indicates whether no originals should be removed for now.
    var isPaused: Bool {
        monitor.withLock { state in state.resumption.map { .now < $0 } ?? false }
    }

    /// Adds a removal, and returns whether much was removed and little became free.
    ///
    /// Other programs write at the same time, so a quarter is enough.
    func isTooSmall(after removed: Int64, freeing freed: Int64) -> Bool {
        monitor.withLock { state in
            state.removed += removed
            state.freed += freed
            guard state.removed >= minimum else { return false }
            if state.freed < state.removed / 4 { return true }
            (state.removed, state.freed) = (0, 0)
            return false
        }
    }

    /// Begins a pause.
    func beginPause() {
        monitor.withLock { state in
            (state.removed, state.freed) = (0, 0)
            state.resumption = .now + Self.pause
        }
    }
}
