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

    init(events: EventHub) {
        self.events = events
    }

    func start() {
        let task = Task { [events] in
            var known = Self.present()
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.pause)
                guard events.hasListeners else { continue }
                let present = Self.present()
                guard present != known else { continue }
                known = present
                events.send("access", "{}")
            }
        }
        self.task.withLock { $0 = task }
    }

    func stop() {
        task.withLock { $0?.cancel() }
    }

    /// What is chosen; nil while it cannot be read, which the route says when it is asked.
    private static func present() -> [ProgramPermission]? { try? ProgramPermission.all() }
}
