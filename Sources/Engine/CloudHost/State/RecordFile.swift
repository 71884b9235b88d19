internal import Foundation
internal import PhotoModel

/// A file of records, each preceded by its length in four bytes, that is read one record at a time.
struct RecordFile {
    private let file: FileHandle?
    private let path: String
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
            remaining = Int(clamping: try file.seekToEnd())
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
        guard remaining >= 4, let file else { return nil }
        do {
            guard let prefix = try file.read(upToCount: 4), prefix.count == 4 else { return nil }
            let length = prefix.reduce(0) { $0 << 8 | Int($1) }
            guard length <= remaining - 4 else { return nil }
            let record = length == 0 ? Data() : try file.read(upToCount: length) ?? Data()
            guard record.count == length else { return nil }
            remaining -= 4 + length
            return Array(record)
        } catch {
            throw Self.failure(error, path)
        }
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
