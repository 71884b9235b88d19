/// Notices that nobody shows the gallery any more, for servers that somebody's click began.
struct ClosingTime: Sendable {
    private let gallery: Gallery
    private let patience: Duration

    /// - Parameters:
    ///   - gallery: What is shown.
    ///   - patience: How long no browser shows it, and no work goes on, before the time has come. A page
    ///     that is loaded again, or a machine that slept, takes less.
    init(of gallery: Gallery, patience: Duration) {
        self.gallery = gallery
        self.patience = patience
    }

    /// Waits until the time has come.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before.
    func wait() async throws {
        var lastUse = ContinuousClock.now
        while ContinuousClock.now - lastUse < patience {
            let pause = min(.seconds(1), patience / 4)
            let before = ContinuousClock.now
            try await Task.sleep(for: pause)
            // A machine that slept gives its browser time to come back.
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
