internal import PhotosManagement
internal import Synchronization

/// Tells the browsers when the command, or a program that asks, changes who may use libraries.
///
/// The choices are a few small files outside of any library. They are looked at twice a second, while
/// somebody listens.
final class AccessFollower: Sendable {
    private static let pause = Duration.milliseconds(500)

    private let events: EventHub
    private let task = Mutex<Task<Void, Never>?>(nil)
    /// What the browsers were told of last.
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

    /// Tells what the gallery itself changed.
    ///
    /// What the command takes back before the next look differs from this, and so is told, too.
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

    /// What is chosen; nil while it cannot be read, which the route says when it is asked.
    private static func present() -> [ProgramPermission]? { try? ProgramPermission.all() }
}
