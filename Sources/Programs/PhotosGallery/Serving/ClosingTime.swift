/// Detects that a gallery is idle, so that a server that was started from a desktop launcher can
/// stop.
struct ClosingTime: Sendable {
    private let gallery: Gallery
    private let patience: Duration

    /// Creates a detector for a gallery.
    ///
    /// - Parameters:
    ///   - gallery: The gallery.
    ///   - patience: The time without event streams and running jobs after which the gallery is
    ///     idle. Reloading a page and the sleep of the machine do not count.
    init(of gallery: Gallery, patience: Duration) {
        self.gallery = gallery
        self.patience = patience
    }

    /// Waits until the gallery is idle.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before.
    func wait() async throws {
        var lastUse = ContinuousClock.now
        while ContinuousClock.now - lastUse < patience {
            let pause = min(.seconds(1), patience / 4)
            let before = ContinuousClock.now
            try await Task.sleep(for: pause)
            // After the machine slept, browsers get time to reconnect.
            let hasSlept = ContinuousClock.now - before > pause + .seconds(10)
            if isInUse || hasSlept { lastUse = .now }
        }
    }

    private var isInUse: Bool {
        gallery.events.hasListeners || gallery.imports.isRunning
            || [gallery.duplicates.job, gallery.check.job, gallery.renditions.job].contains(
                where: \.isRunning
            )
    }
}
