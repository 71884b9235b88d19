package import Foundation
internal import Glibc
package import PhotoModel

/// A folder for this user's state, outside of any library and shared by all programs.
///
/// Its files are private. They are replaced by a rename, so readers see the state before or after a
/// change, and changed under a lock that all processes share.
package struct StateFolder: Hashable, Sendable {
    /// The path of the folder.
    package let path: String

    package init(_ path: String) { self.path = path }

    /// The folder `swift-photos` in `$XDG_STATE_HOME`, or in `~/.local/state`.
    package static var standard: StateFolder {
        let environment = ProcessInfo.processInfo.environment
        let state =
            environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? (environment["HOME"] ?? "/") + "/.local/state"
        return StateFolder(state + "/swift-photos")
    }

    /// Creates the folder.
    package func prepare() throws(LibraryError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw LibraryError(
                .inputOutput,
                "Could not create the folder \(path).",
                reason: error.localizedDescription,
                recovery: "Set XDG_STATE_HOME to a writable folder.",
                path: path
            )
        }
    }

    /// Acquires a lock file, and waits while another process holds it.
    ///
    /// - Throws: The failure of `open` or `flock`.
    package func locked(_ name: String) throws(SystemError) -> Descriptor {
        let descriptor = try lockFile(name)
        while flock(descriptor.number, LOCK_EX) != 0 {
            guard errno == EINTR else { throw .last("flock", path: path + "/" + name) }
        }
        return descriptor
    }

    /// Acquires a lock file; returns nil if it is held.
    ///
    /// - Throws: The failure of `open` or `flock`.
    package func lockedIfFree(_ name: String) throws(SystemError) -> Descriptor? {
        let descriptor = try lockFile(name)
        while flock(descriptor.number, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return nil }
            guard errno == EINTR else { throw .last("flock", path: path + "/" + name) }
        }
        return descriptor
    }

    private func lockFile(_ name: String) throws(SystemError) -> Descriptor {
        let file = path + "/" + name
        let number = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw .last("open", path: file) }
        return Descriptor(owning: number)
    }

    /// Replaces a file durably; the caller must hold the lock for the file.
    ///
    /// - Throws: The reason why it was not replaced.
    package func replace(_ name: String, with data: Data) throws(SystemError) {
        let draft = try draft(of: name)
        do throws(SystemError) {
            try draft.append(data)
            try draft.commit()
        } catch {
            draft.discard()
            throw error
        }
    }

    /// Begins to write new content for a file; the caller must hold the lock for the file.
    package func draft(of name: String) throws(SystemError) -> FileDraft {
        try FileDraft(folder: path, name: name)
    }
}
