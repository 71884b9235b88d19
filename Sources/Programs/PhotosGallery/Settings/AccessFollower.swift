internal import PhotosManagement
internal import Synchronization

/// Notifies browsers when another program changes the permissions for libraries.
///
/// The permissions are a few small files outside any library. They are polled twice a second while
/// any event stream is open.
final class AccessFollower: Sendable {
    private static let pause = Duration.milliseconds(500)

    private let events: EventHub
    private let task = Mutex<Task<Void, Never>?>(nil)
    /// The permissions that were read last.
    private let known = Mutex<[ProgramPermission]?>(nil)

    init(events: EventHub) {
        self.events = events
    }

    func start() {
        known.withLock { $0 = Self.present() }
        let task = Task { [weak self] in
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.pause)
                self?.check()
            }
        }
        self.task.withLock { $0 = task }
    }

    /// Notifies browsers after the gallery itself has changed permissions.
    ///
    /// The permissions are read immediately, so that a change back by another program before the
    /// next poll is also detected.
    func notify() {
        known.withLock { $0 = Self.present() }
        events.send("access", "{}")
    }

    private func check() {
        guard events.hasListeners else { return }
        let present = Self.present()
        let isNew = known.withLock { known in
            defer { known = present }
            return known != present
        }
        if isNew { events.send("access", "{}") }
    }

    func stop() {
        task.withLock { $0?.cancel() }
    }

    /// Reads the permissions; returns nil if they cannot be read.
    ///
    /// The route for permissions reports the error.
    private static func present() -> [ProgramPermission]? { try? ProgramPermission.all() }
}
