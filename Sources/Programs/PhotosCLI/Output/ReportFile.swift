import Foundation
import Glibc

/// A report file that is written line by line, and renamed to its final name when it is complete.
///
/// An interrupted import leaves the file `FILE.partial`.
final class ReportFile {
    private let path: String
    private let file: UnsafeMutablePointer<FILE>

    /// Creates the partial report file, and replaces the partial file of an earlier import.
    init(_ path: String) throws {
        self.path = path
        guard let file = fopen(path + ".partial", "we") else {
            throw CocoaError(
                .fileWriteUnknown,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "The report \(path) cannot be written: \(String(cString: strerror(errno)))."
                ]
            )
        }
        self.file = file
    }

    deinit { fclose(file) }

    /// Writes a line.
    func write(_ line: String) throws {
        guard fputs(line + "\n", file) >= 0 else { throw failure() }
    }

    /// Writes buffered lines to the file.
    func flush() throws {
        guard fflush(file) == 0 else { throw failure() }
    }

    /// Syncs the complete report and renames it to its final name.
    func finish() throws {
        guard fflush(file) == 0, fsync(fileno(file)) == 0,
            rename(path + ".partial", path) == 0
        else { throw failure() }
    }

    private func failure() -> CocoaError {
        CocoaError(
            .fileWriteUnknown,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "The report \(path) cannot be written: \(String(cString: strerror(errno)))."
            ]
        )
    }
}
