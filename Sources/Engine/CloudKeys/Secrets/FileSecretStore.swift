package import Foundation
internal import Glibc
package import LibraryService
internal import PhotoModel

/// A store of secrets in files that only their owner can read.
///
/// The files are in `$XDG_STATE_HOME/swift-photos/cloud/<library UUID>/`.
package struct FileSecretStore: SecretStore {
    private let folder: String

    /// The maximum size of an item in bytes.
    private static let maximumSize = 16 << 20

    package init(state: StateFolder = .standard) { folder = state.path + "/cloud" }

    /// Returns the path of the folder that contains the secrets of a library.
    package func path(of library: UUID) -> String { folder + "/" + library.uuidString }

    package func read(
        _ item: SecretItem,
        of library: UUID
    ) throws(CloudKeyError) -> [UInt8]? {
        let path = path(of: library) + "/" + item.rawValue
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        if number < 0, errno == ENOENT { return nil }
        if number < 0, errno == ELOOP { throw .insecure(path, "It is a symbolic link.") }
        guard number >= 0 else { throw .secret("read", .last("open", path: path)) }
        let file = Descriptor(owning: number)
        defer { withExtendedLifetime(file) {} }
        var status = stat()
        guard fstat(file.number, &status) == 0 else {
            throw .secret("read", .last("fstat", path: path))
        }
        try check(status, path)
        guard status.st_size <= Self.maximumSize else {
            throw .outOfBounds(path, "It has \(status.st_size) bytes.")
        }
        let source = BlobFile(descriptor: file.number, label: "the file \(path)")
        return Array(try source.read(0..<Int64(status.st_size)))
    }

    package func libraries() -> [UUID] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().compactMap(UUID.init(uuidString:))
    }

    /// Throws an error for a file that other users can read or may have written.
    private func check(_ status: stat, _ path: String) throws(CloudKeyError) {
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .insecure(path, "It is not a regular file.")
        }
        guard status.st_uid == geteuid() else {
            throw .insecure(path, "It belongs to another user.")
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw .insecure(path, "Its mode is \(mode), so other users may access it.")
        }
    }

    package func write(
        _ bytes: [UInt8],
        to item: SecretItem,
        of library: UUID
    ) throws(CloudKeyError) {
        let folder = StateFolder(path(of: library))
        do throws(LibraryError) {
            try folder.prepare()
        } catch {
            throw CloudKeyError(
                .inputOutput,
                error.message,
                reason: error.reason,
                recovery: "Set XDG_STATE_HOME to a writable folder."
            )
        }
        do throws(SystemError) {
            let lock = try folder.locked("lock")
            defer { withExtendedLifetime(lock) {} }
            // A draft that a crash left, or that somebody else made, may have another mode.
            let draft = folder.path + "/" + item.rawValue + ".new"
            guard unlink(draft) == 0 || errno == ENOENT else { throw .last("unlink", path: draft) }
            try folder.replace(item.rawValue, with: Data(bytes))
        } catch {
            throw .secret("write", error)
        }
    }

    package func remove(_ library: UUID) throws(CloudKeyError) {
        let path = path(of: library)
        let names = SecretItem.allCases.flatMap { [$0.rawValue, $0.rawValue + ".new"] } + ["lock"]
        for name in names {
            guard unlink(path + "/" + name) == 0 || errno == ENOENT || errno == ENOTDIR else {
                throw .secret("remove", .last("unlink", path: path + "/" + name))
            }
        }
        guard rmdir(path) == 0 || errno == ENOENT else {
            throw .secret("remove", .last("rmdir", path: path))
        }
    }
}

extension CloudKeyError {
    fileprivate static func insecure(_ path: String, _ reason: String) -> CloudKeyError {
        CloudKeyError(
            .insecureFile,
            "The file \(path) with keys of a cloud library is not used.",
            reason: reason,
            recovery: "If only you could access it until now, run chmod 600 \(path). Otherwise"
                + " remove this device from the cloud library and join it again."
        )
    }

    fileprivate static func secret(_ action: String, _ error: SystemError) -> CloudKeyError {
        CloudKeyError(
            .inputOutput,
            "Could not \(action) the keys of a cloud library in \(error.path ?? "a file").",
            reason: "\(error.call): \(error.reason).",
            recovery: "Check the folder that XDG_STATE_HOME names, and its volume."
        )
    }
}
