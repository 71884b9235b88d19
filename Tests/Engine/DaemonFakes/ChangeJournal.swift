import DaemonCore
package import Foundation
import Glibc
package import PhotoModel
import Synchronization

/// A journal of changes in a file, which is the state of a fake library.
///
/// A line is a change with its answer, so both are durable at the same time. A line that a kill cut
/// off is no change.
package final class ChangeJournal: AnsweredRequests {
    /// A change with its answer.
    package struct Entry: Codable, Hashable, Sendable {
        package var version: Int64
        /// The texts that the change recorded.
        package var marks: [String]
        package var request: UUID?
        package var program: String
        package var reply: Data
    }

    private struct State {
        /// The number of changes.
        var count = 0
        /// The changes of a journal in memory.
        ///
        /// A process with a file retains none, as the process of a real library does not.
        var entries: [Entry] = []
        /// The file's size.
        var size = 0
        /// The position of each request's change: its index in memory, or that of its line's first
        /// byte in the file.
        var answers: [UUID: Int] = [:]
    }

    private let path: String?
    private let file: Int32?
    private let state: Mutex<State>

    /// Opens the journal of a file; nil for a journal in memory.
    package init(path: String?) throws {
        self.path = path
        guard let path else {
            file = nil
            state = Mutex(State())
            return
        }
        let entries = try Self.entries(path: path)
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw SystemError.last("open", path: path) }
        self.file = file
        var state = State(count: entries.count)
        for entry in entries {
            if let request = entry.request { state.answers[request] = state.size }
            state.size += try Self.line(entry).utf8.count
        }
        // Removes a line that was cut off.
        ftruncate(file, off_t(state.size))
        lseek(file, 0, Int32(SEEK_END))
        self.state = Mutex(state)
    }

    deinit { if let file { close(file) } }

    /// Reads the changes of a file.
    package static func entries(path: String) throws -> [Entry] {
        guard let data = FileManager.default.contents(atPath: path) else { return [] }
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // What follows the last end of a line is no change.
        return try lines.dropLast().map { try JSONDecoder().decode(Entry.self, from: Data($0)) }
    }

    /// The changes so far.
    package var entries: [Entry] {
        get throws {
            try state.withLock { state in
                guard let path else { return state.entries }
                return try Self.entries(path: path)
            }
        }
    }

    package var version: Int64 { state.withLock { Int64($0.count) } }

    /// Makes a change.
    ///
    /// - Parameters:
    ///   - marks: The texts to record.
    ///   - request: The identifier of the request.
    ///   - program: The client's program.
    ///   - reply: Returns the JSON of the reply for the change's version.
    ///   - reach: Runs at each named point.
    /// - Returns: The version.
    /// - Throws: The error of the file or of the reply.
    package func append(
        _ marks: [String],
        request: UUID?,
        program: String,
        reply: (Int64) throws -> Data,
        reach: (KillPoint) -> Void
    ) throws -> Int64 {
        try state.withLock { state in
            reach(.beforeChange)
            let version = Int64(state.count) + 1
            let entry = Entry(
                version: version,
                marks: marks,
                request: request,
                program: program,
                reply: try reply(version)
            )
            let position = file == nil ? state.entries.count : state.size
            if let file {
                state.size += try Self.write(entry, to: file, reach)
            } else {
                state.entries.append(entry)
            }
            state.count += 1
            if let request { state.answers[request] = position }
            reach(.afterChange)
            return version
        }
    }

    /// Writes the line of a change in two parts, and returns its size.
    private static func write(
        _ entry: Entry,
        to file: Int32,
        _ reach: (KillPoint) -> Void
    ) throws -> Int {
        let bytes = Array(try line(entry).utf8)
        let half = bytes.count / 2
        for (index, part) in [bytes[..<half], bytes[half...]].enumerated() {
            let part = Array(part)
            guard Glibc.write(file, part, part.count) == part.count else {
                throw SystemError.last("write")
            }
            reach(index == 0 ? .inChange : .writtenChange)
        }
        fdatasync(file)
        return bytes.count
    }

    /// Reads the change whose line begins at a position of a file.
    private static func readEntry(_ path: String, at position: Int) throws -> Entry? {
        guard let reader = FileHandle(forReadingAtPath: path) else { return nil }
        try reader.seek(toOffset: UInt64(position))
        var line = Data()
        while let part = try reader.read(upToCount: 4096), !part.isEmpty {
            line += part
            guard let end = line.firstIndex(of: UInt8(ascii: "\n")) else { continue }
            return try JSONDecoder().decode(Entry.self, from: line[..<end])
        }
        return nil
    }

    private static func line(_ entry: Entry) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(entry), as: UTF8.self) + "\n"
    }

    // MARK: - AnsweredRequests

    package func answer(to request: UUID, of program: String) throws(LibraryError) -> [UInt8]? {
        let entry: Entry?
        do {
            entry = try state.withLock { state in
                guard let position = state.answers[request] else { return nil }
                guard let path else { return state.entries[position] }
                return try Self.readEntry(path, at: position)
            }
        } catch {
            throw LibraryError(.internalError, "\(error)")
        }
        guard let entry else { return nil }
        guard entry.program == program else { throw .foreignRequest }
        return Array(entry.reply)
    }

    /// Does nothing, since `append` stores the answer.
    package func store(
        _ reply: [UInt8],
        to request: UUID,
        of program: String
    ) throws(LibraryError) {}
}

/// A point of a change at which a process can be killed.
package enum KillPoint: String, CaseIterable, Sendable {
    /// The change was received.
    case beforeChange
    /// Half of the change was written.
    case inChange
    /// All of it was written.
    case writtenChange
    /// The change is durable.
    case afterChange
    /// The reply is about to be sent.
    case beforeReply
}
