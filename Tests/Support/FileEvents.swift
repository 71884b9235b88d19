package import Foundation

/// Waits for changes of files with inotify, so that a test continues as soon as they happen.
package enum FileEvents {
    /// Waits until a condition on the entries of a folder holds.
    ///
    /// The condition is evaluated at the start and after each change of the folder or of a file
    /// directly in it.
    ///
    /// - Returns: Whether the condition held before the time was up. False if the folder does not
    ///   exist.
    package static func wait(
        in folder: URL,
        seconds: Double = 60,
        until condition: () throws -> Bool
    ) rethrows -> Bool {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let events = IN_CREATE | IN_MOVED_TO | IN_MODIFY | IN_CLOSE_WRITE | IN_DELETE | IN_ATTRIB
        guard inotify_add_watch(descriptor, folder.path, UInt32(events)) >= 0 else { return false }
        let deadline = ContinuousClock.now + .seconds(seconds)
        // The watch exists before the first look, so no change is missed in between.
        while try !condition() {
            let left = (deadline - ContinuousClock.now) / .milliseconds(1)
            guard left > 0 else { return false }
            var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&poller, 1, Int32(min(left, 60_000)))
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while read(descriptor, &buffer, buffer.count) > 0 {}
        }
        return true
    }

    /// Waits until a file exists, and returns whether it did before the time was up.
    package static func wait(forFile path: String, seconds: Double = 60) -> Bool {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        return wait(in: folder, seconds: seconds) {
            FileManager.default.fileExists(atPath: path)
        }
    }
}
