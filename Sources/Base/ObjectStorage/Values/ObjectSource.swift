internal import Glibc

/// The content of an object to write: bytes in memory, or a range of an open file.
///
/// A source is read several times: for its checksum, for its bytes, and again by each retry. Its
/// bytes must not change meanwhile; if they do, the store refuses them as `damaged`.
package struct ObjectSource: Sendable {
    private enum Storage: Sendable {
        case bytes([UInt8])
        case file(SourceFile)
    }

    private let storage: Storage
    private let offset: Int64
    /// The number of bytes.
    package let size: Int64
    /// The MD5 digest that the bytes must have; if nil, the digest is computed before the upload.
    package var expectedMD5: MD5Digest?

    package init(_ bytes: [UInt8]) {
        storage = .bytes(bytes)
        offset = 0
        size = Int64(bytes.count)
    }

    /// Creates a source from a range of a file that is open for reading.
    ///
    /// The descriptor is duplicated, so the caller may close its own at once. Its file position is
    /// neither used nor changed.
    ///
    /// - Throws: ``ObjectStoreError``: `inputOutput` if the descriptor is invalid, or the file is
    ///   not a regular one that contains the range.
    package init(descriptor: Int32, range: Range<Int64>) throws(ObjectStoreError) {
        let file = try SourceFile(duplicating: descriptor)
        guard range.lowerBound >= 0, range.upperBound <= file.size else {
            throw .unreadableSource("The file has \(file.size) bytes, but \(range) were requested.")
        }
        storage = .file(file)
        offset = range.lowerBound
        size = range.upperBound - range.lowerBound
    }

    private init(_ storage: Storage, offset: Int64, size: Int64) {
        self.storage = storage
        self.offset = offset
        self.size = size
    }

    /// Returns a part of the bytes; `range` must lie inside them.
    package func slice(_ range: Range<Int64>) -> ObjectSource {
        ObjectSource(
            storage,
            offset: offset + range.lowerBound,
            size: range.upperBound - range.lowerBound
        )
    }

    /// Reads up to `count` bytes at an offset; may block if the disk is slow.
    ///
    /// - Throws: ``ObjectStoreError``: `inputOutput` also if the file became shorter.
    package func read(at position: Int64, count: Int) throws(ObjectStoreError) -> [UInt8] {
        let count = Int(min(Int64(count), size - position))
        switch storage {
        case .bytes(let bytes):
            let start = Int(offset + position)
            return count == bytes.count ? bytes : Array(bytes[start..<start + count])
        case .file(let file): return try file.read(at: offset + position, count: count)
        }
    }

    /// Calls `body` with the file and the source's range in the file; returns nil for bytes in
    /// memory.
    ///
    /// `body` must neither close the descriptor nor keep it.
    package func withFile<Value, Failure: Error>(
        _ body: (_ descriptor: Int32, Range<Int64>) throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        guard case .file(let file) = storage else { return nil }
        return try body(file.descriptor, offset..<offset + size)
    }

    /// The maximum number of bytes in one read.
    package static let pieceSize = 512 << 10

    /// Passes all bytes to `body` piece by piece; throws an error once `isAbandoned` returns true.
    package func forEachPiece(
        isAbandoned: () -> Bool,
        _ body: ([UInt8]) throws -> Void
    ) throws {
        var position: Int64 = 0
        while position < size {
            if isAbandoned() { throw CancellationError() }
            let piece = try read(at: position, count: Self.pieceSize)
            position += Int64(piece.count)
            try body(piece)
        }
    }
}

/// A duplicated file descriptor, which is closed when the last source that uses it is released.
///
/// A source has its own descriptor because a canceled upload may still read after the call has
/// returned.
private struct SourceFile: Sendable {
    private let file: OpenFile
    let size: Int64

    var descriptor: Int32 { file.descriptor }

    init(duplicating descriptor: Int32) throws(ObjectStoreError) {
        let status: stat
        do {
            file = try OpenFile.duplicate(descriptor)
            status = try file.status()
        } catch {
            throw .unreadableSource(error.reason)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadableSource("It is not a regular file.")
        }
        size = Int64(status.st_size)
    }

    func read(at offset: Int64, count: Int) throws(ObjectStoreError) -> [UInt8] {
        let bytes: [UInt8]
        do {
            bytes = try file.read(at: offset, count: count)
        } catch {
            throw .unreadableSource(error.reason)
        }
        guard bytes.count == count else {
            throw .unreadableSource("The file became shorter while it was read.")
        }
        return bytes
    }
}

extension ObjectStoreError {
    package static func unreadableSource(_ reason: String) -> ObjectStoreError {
        ObjectStoreError(
            .inputOutput,
            "The file to upload could not be read.",
            reason: reason,
            recovery: "Check the file and its disk, and try again."
        )
    }
}
