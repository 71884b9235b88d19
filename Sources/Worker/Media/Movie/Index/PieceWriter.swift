internal import Glibc

/// A writer that writes a file sequentially in pieces, reports the progress and checks for
/// cancellation.
struct PieceWriter {
    private static let pieceLength = 1 << 20

    private let output: Int32
    private let total: Int
    private let progress: MovieConverter.Progress
    private var written = 0

    /// Creates a writer for an empty file.
    ///
    /// - Parameters:
    ///   - output: The file, at offset 0.
    ///   - total: The final length in bytes.
    ///   - progress: Receives the progress, 0...1, and returns whether to stop.
    init(output: Int32, total: Int, progress: @escaping MovieConverter.Progress) {
        self.output = output
        self.total = max(1, total)
        self.progress = progress
    }

    mutating func write(_ bytes: [UInt8]) throws(MovieFailure) {
        let failure = bytes.withUnsafeBytes { Self.write($0, to: output) }
        if let failure { throw failure }
        try advance(bytes.count)
    }

    /// Appends a part of another file.
    mutating func copy(
        _ input: Int32,
        from start: Int,
        length: Int
    ) throws(MovieFailure) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Self.pieceLength,
            alignment: 16
        )
        defer { buffer.deallocate() }
        var copied = 0
        while copied < length {
            let piece = UnsafeMutableRawBufferPointer(
                rebasing: buffer[..<min(buffer.count, length - copied)]
            )
            guard MovieLayout.fill(piece, from: input, at: start + copied) == piece.count else {
                throw .source("its data ends early")
            }
            if let failure = Self.write(UnsafeRawBufferPointer(piece), to: output) {
                throw failure
            }
            copied += piece.count
            try advance(piece.count)
        }
    }

    private mutating func advance(_ count: Int) throws(MovieFailure) {
        written += count
        // The caller reports 1 when the file is complete.
        if progress(min(0.999, Double(written) / Double(total))) { throw .cancelled }
    }

    /// Writes all of `bytes`, at `offset` or else at the file's current position; returns the
    /// failure, or nil on success.
    static func write(
        _ bytes: UnsafeRawBufferPointer,
        to output: Int32,
        at offset: Int? = nil
    ) -> MovieFailure? {
        if let offset, lseek(output, off_t(offset), SEEK_SET) < 0 {
            return .output(String(cString: strerror(errno)))
        }
        var written = 0
        while written < bytes.count, let start = bytes.baseAddress {
            let count = Glibc.write(output, start + written, bytes.count - written)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return .output(String(cString: strerror(errno))) }
            written += count
        }
        return nil
    }
}
