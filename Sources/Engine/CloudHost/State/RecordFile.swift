internal import Foundation
internal import PhotoModel

/// A file of records, each preceded by its length in four bytes, that is read one record at a time.
///
///     record ‖ record ‖ incomplete record, or zeros
///
/// A record is incomplete if the file ends within it. It also is if all bytes from some place in it
/// to the end of the file are zero: after a power failure, a file system can have the size of what
/// was appended without its bytes.
struct RecordFile {
    /// The number of zeros at the end of a record from which on it is incomplete if only zeros
    /// follow it.
    ///
    /// A complete record ends in an authentication tag of this size, which is random.
    private static let tornSize = 16

    private let file: FileHandle?
    private let path: String
    /// The number of zeros at the end of the file.
    private var zeros = 0
    /// The number of bytes that were not read.
    ///
    /// At the end of the records, these are an incomplete record.
    private(set) var remaining = 0

    /// Opens a file; a file that does not exist has no records.
    ///
    /// The absence of a required file is an error.
    init(_ path: String, isRequired: Bool) throws(LibraryError) {
        self.path = path
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            let size = Int(clamping: try file.seekToEnd())
            zeros = try Self.zeros(atEndOf: file, size: size)
            remaining = size
            try file.seek(toOffset: 0)
            self.file = file
        } catch CocoaError.fileReadNoSuchFile where !isRequired {
            file = nil
        } catch {
            throw Self.failure(error, path)
        }
    }

    /// Indicates whether all bytes of the file were read.
    var isAtEnd: Bool { remaining == 0 }

    /// Returns the next record; nil if no complete record follows.
    mutating func next() throws(LibraryError) -> [UInt8]? {
        guard remaining >= 4, remaining > zeros, let file else { return nil }
        do {
            guard let prefix = try file.read(upToCount: 4), prefix.count == 4 else { return nil }
            let length = prefix.reduce(0) { $0 << 8 | Int($1) }
            let following = remaining - 4 - length
            guard following >= 0, zeros - following < Self.tornSize else { return nil }
            let record = length == 0 ? Data() : try file.read(upToCount: length) ?? Data()
            guard record.count == length else { return nil }
            remaining -= 4 + length
            return Array(record)
        } catch {
            throw Self.failure(error, path)
        }
    }

    /// Returns the number of zeros at the end of a file, and moves the position in the file.
    private static func zeros(atEndOf file: FileHandle, size: Int) throws -> Int {
        var zeros = 0
        while zeros < size {
            let count = min(size - zeros, 64 << 10)
            try file.seek(toOffset: UInt64(size - zeros - count))
            let bytes = try file.read(upToCount: count) ?? Data()
            if let last = bytes.lastIndex(where: { $0 != 0 }) {
                return zeros + bytes.endIndex - last - 1
            }
            guard bytes.count == count else { break }
            zeros += count
        }
        return zeros
    }

    private static func failure(_ error: any Error, _ path: String) -> LibraryError {
        LibraryError(
            .inputOutput,
            "The state of the sync cannot be read.",
            reason: error.localizedDescription,
            recovery: "Check the volume of the library.",
            path: path
        )
    }
}
