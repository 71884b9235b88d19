internal import Glibc

/// An object that is open as a file of its store.
///
/// Nothing about the file is trusted. Another program may change or cut it at any time, so it is
/// only read into memory of this process, never mapped. Each call may block for as long as a disk
/// takes, so it must be made on a thread that may.
package struct ObjectFile: Sendable {
    package let file: OpenFile
    /// The size of the object in bytes when it was opened, as the store states it.
    package let size: Int64
    private let action: String
    private let place: String

    /// Creates an instance for an open file with the object `key` of the store at `place`.
    package init(_ file: OpenFile, size: Int64, of key: ObjectKey, in place: String) {
        self.file = file
        self.size = size
        action = "read \(key)"
        self.place = place
    }

    /// Checks that the file is a regular one, of which each read ends.
    ///
    /// - Throws: ``ObjectStoreError``: `damaged` for any other kind of file.
    package func check() throws(ObjectStoreError) {
        do throws(SystemFailure) {
            guard try file.status().st_mode & S_IFMT == S_IFREG else {
                throw SystemFailure(call: "fstat", number: ENOTSUP)
            }
        } catch {
            throw error.storeError(doing: action, in: place)
        }
    }

    /// Reads a range of the object; returns fewer bytes only at the end of the file.
    ///
    /// - Throws: ``ObjectStoreError`` if the volume fails.
    package func read(_ range: Range<Int64>) throws(ObjectStoreError) -> [UInt8] {
        do throws(SystemFailure) {
            return try file.read(at: range.lowerBound, count: range.count)
        } catch {
            throw error.storeError(doing: action, in: place)
        }
    }
}

extension ObjectStore {
    /// Returns nil, as a store whose objects are in no files on a disk of this computer.
    package func file(
        of key: ObjectKey,
        limit: Int64,
        timeout: Duration
    ) async throws(ObjectStoreError) -> ObjectFile? {
        nil
    }
}
