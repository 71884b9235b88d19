import Foundation
import Glibc
import LibraryService
import TestSupport
import Testing

/// The records of the daemon in systemd's journal, for which a socket of the test stands in.
@Suite(.timeLimit(.minutes(1))) struct JournalTests {
    private let home: DaemonHome

    init() throws { home = try DaemonHome() }

    private func journal(_ path: String) throws -> Descriptor {
        let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let journal = Descriptor(owning: number)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(journal.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0, "bind failed: \(errno)")
        return journal
    }

    /// Parses a record of the journal's protocol.
    private func fields(_ record: [UInt8]) -> [String: String] {
        var fields: [String: String] = [:]
        var rest = record[...]
        while let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x3D }) {
            let name = String(decoding: rest[..<end], as: UTF8.self)
            let isBinary = rest[end] == 0x0A
            rest = rest[(end + 1)...]
            var length = rest.firstIndex(of: 0x0A).map { $0 - rest.startIndex } ?? rest.count
            if isBinary {
                length = rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
                rest = rest.dropFirst(8)
            }
            fields[name] = String(decoding: rest.prefix(length), as: UTF8.self)
            rest = rest.dropFirst(length + 1)
        }
        return fields
    }

    private func records(_ journal: Descriptor) -> [[String: String]] {
        var records: [[String: String]] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(journal.number, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return records }
            records.append(fields(Array(buffer.prefix(count))))
        }
    }

    private var ownStream: String {
        var status = stat()
        fstat(STDERR_FILENO, &status)
        return "\(status.st_dev):\(status.st_ino)"
    }

    @Test("Records have fields if standard error is connected to the journal")
    func fields() throws {
        // An error that the daemon records at its start, of which a path has two lines.
        let name = "state\nof two lines"
        let state = home.folder.file(name).path
        let list = state + "/swift-photos/watch-folders.json"
        try home.folder.write(Data("{".utf8), to: name + "/swift-photos/watch-folders.json")
        let path = home.runtimePath + "/journal"
        let journal = try journal(path)
        let variables = ["XDG_STATE_HOME": state, "JOURNAL_STREAM": ownStream]
        try home.startDaemon("--journal", path, variables: variables)
        var found: [[String: String]] = []
        #expect(
            home.waits {
                found += records(journal)
                return found.contains { $0["PHOTOS_WATCH_FILE"] != nil }
            }
        )
        let record = try #require(found.first { $0["PHOTOS_WATCH_FILE"] != nil })
        #expect(
            record == [
                "MESSAGE": "The list of watch folders cannot be read.", "PRIORITY": "3",
                "SYSLOG_IDENTIFIER": "photolibraryd", "PHOTOS_LOGGER": "photos.watch",
                "PHOTOS_WATCH_CODE": "corrupt", "PHOTOS_WATCH_FILE": list,
            ]
        )
    }

    @Test("Another stream than the journal's is not replaced by it")
    func otherStream() throws {
        try home.folder.write(Data("{".utf8), to: "state/swift-photos/watch-folders.json")
        let path = home.runtimePath + "/journal"
        let journal = try journal(path)
        try home.startDaemon("--journal", path, variables: ["JOURNAL_STREAM": "1:1"])
        #expect(records(journal).isEmpty)
    }
}
