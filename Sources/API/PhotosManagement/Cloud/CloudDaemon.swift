internal import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel
internal import RemoteLibrary

/// The connection to the library daemon that answers requests about cloud libraries.
///
/// If no daemon is running, one is started, and stopped when this object is deallocated.
final class CloudDaemon: Sendable {
    let remote: RemoteLibrary
    /// Indicates whether this object started the daemon; if so, deallocating the object stops the
    /// daemon.
    let isOwn: Bool
    private let process: Process?
    /// Indicates whether the started daemon has ended.
    private let hasEnded: Monitor<Bool>
    private let folder: String?

    /// The maximum time to wait until a started daemon accepts connections.
    private static let startLimit = Duration.seconds(20)

    init(library: String) throws(LibraryError) {
        let hasEnded = Monitor(false)
        self.hasEnded = hasEnded
        if let socket = LibraryDaemon.socketPath,
            let running = try LibraryDaemon.connect(to: socket)
        {
            (remote, isOwn, process, folder) = (running, false, nil, nil)
            return
        }
        let folder = try Self.makeFolder()
        do throws(LibraryError) {
            let process = try Self.start(library: library, socket: folder + "/socket") {
                hasEnded.update { $0 = true }
            }
            guard let started = try LibraryDaemon.connect(to: folder + "/socket") else {
                process.terminate()
                throw Self.failure("It ended at once.")
            }
            (remote, isOwn, self.process, self.folder) = (started, true, process, folder)
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }

    deinit {
        remote.close()
        // It finishes the requests that are under way.
        if let process {
            process.terminate()
            // `waitUntilExit` notices the end up to 50 ms late. The handler needs a thread, so it
            // may not be called if the system has reached its limit of threads.
            while process.isRunning {
                let end = hasEnded.wait(before: .now + .seconds(1)) { $0 ? true : nil }
                if end != nil { break }
            }
        }
        if let folder { try? FileManager.default.removeItem(atPath: folder) }
    }

    /// Creates a private folder for the daemon's socket.
    ///
    /// Its path is short, because the path of a socket has a maximum length.
    private static func makeFolder() throws(LibraryError) -> String {
        let parent = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] ?? "/tmp"
        var template = Array((parent + "/photos-cloud-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw SystemError.last("mkdtemp", path: parent)
                .libraryError("The library daemon cannot be started.")
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Starts a daemon and waits until it accepts connections.
    ///
    /// - Parameters:
    ///   - library: The path of the library.
    ///   - socket: The path of the socket.
    ///   - whenEnded: Called when the daemon has ended.
    /// - Returns: The daemon's process.
    /// - Throws: The reason why it cannot be started.
    private static func start(
        library: String,
        socket: String,
        whenEnded: @escaping @Sendable () -> Void
    ) throws(LibraryError) -> Process {
        guard let path = LibraryDaemon.executablePath else {
            throw LibraryError(
                .workerUnavailable,
                "\(LibraryDaemon.programName) was not found.",
                reason: "Cloud libraries are synced by the library daemon.",
                recovery: "Run “make install”, or install the package."
            )
        }
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = [
            "--listen", socket, "--library", library, "--attended", "--idle-exit", "5",
        ]
        let output = Pipe()
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.terminationHandler = { _ in whenEnded() }
        do {
            try process.run()
        } catch {
            throw failure(error.localizedDescription)
        }
        guard Self.waitForFirstLine(of: output.fileHandleForReading) else {
            process.terminate()
            throw failure("It did not listen in time.")
        }
        return process
    }

    /// Waits for the daemon's first line of output, which states that it accepts connections.
    ///
    /// The daemon's later output is copied to the standard error of this process.
    private static func waitForFirstLine(of handle: FileHandle) -> Bool {
        let hasSpoken = Monitor(false)
        let started = NamedThread.start("photos-cloud-log") {
            var isFirst = true
            while true {
                let data = handle.availableData
                if data.isEmpty { break }
                if isFirst {
                    isFirst = false
                    hasSpoken.update { $0 = true }
                } else {
                    try? FileHandle.standardError.write(contentsOf: data)
                }
            }
            hasSpoken.update { $0 = true }
        }
        guard started else { return false }
        return hasSpoken.wait(before: .now + startLimit) { $0 ? true : nil } ?? false
    }

    private static func failure(_ reason: String) -> LibraryError {
        LibraryError(
            .workerUnavailable,
            "The library daemon could not be started.",
            reason: reason,
            recovery: "Run photos daemon run to see why."
        )
    }
}
