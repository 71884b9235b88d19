internal import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel
internal import Synchronization
internal import WorkerClient
internal import WorkerProtocol

/// An open camera or phone, which lists its folders and transfers its files to temporary files.
///
/// 1. The process is replaced a few times if it ends or the device does not answer, because the
///    failure may concern a single file only.
/// 2. After the device cannot be opened again, no further file is requested.
/// 3. A temporary file has no name, so that it does not remain after a crash.
///
/// Thread-safe; calls block their thread.
final class DeviceSource: Sendable {
    private struct State {
        var process: DeviceProcess
        var restartsLeft = DeviceSource.restarts
        /// The failure after which no further files are requested; nil while the device works.
        var loss: DeviceFailure?
    }

    /// The number of bytes by which a transfer may exceed the reported size of a file.
    ///
    /// It applies to a file whose size is unknown, or at least `largestReported`. Any other file
    /// may not exceed its size.
    ///
    /// Some devices cannot report sizes above 4 GB.
    private static let maximumExcess: Int64 = 64 << 30
    private static let largestReported: Int64 = 0xffff_ffff
    /// The maximum number of consecutive process restarts without a transferred file before the
    /// device counts as lost.
    private static let restarts = 20
    /// The maximum number of attempts at a request, and of attempts to start a replacement process.
    private static let attempts = 3

    let device: CameraDevice
    /// The `gphoto2://` path of the device, made of its model and its serial number.
    ///
    /// If the device has no serial number, the path has the port instead.
    let path: SourcePath
    private let serial: String?
    /// The path of the library's folder, on whose volume temporary files are created.
    private let temporary: String
    private let control: OperationControl
    private let state: Mutex<State>

    /// Opens a camera or phone.
    init(_ device: CameraDevice, library: URL, control: OperationControl) throws(LibraryError) {
        self.device = device
        self.control = control
        temporary = library.path
        do throws(DeviceFailure) {
            let process = try CameraDevice.start(folder: device.folder, control: control)
            serial = try process.open(device.address)
            state = Mutex(State(process: process))
            path = Self.path(of: device, serial: serial)
            // Drivers open folders and devices that are not there, and fail only later.
            _ = try process.page(of: Data("/".utf8), from: 0)
        } catch {
            throw error.libraryError("\(device.model) at \(device.port) cannot be read.")
        }
    }

    private static func path(of device: CameraDevice, serial: String?) -> SourcePath {
        func part(_ text: String) -> String {
            text.utf8.map { byte in
                let isPlain =
                    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                    || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                    || [UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ".")].contains(byte)
                let digits = String(byte, radix: 16, uppercase: true)
                return isPlain
                    ? String(UnicodeScalar(byte)) : "%" + (digits.count == 1 ? "0" : "") + digits
            }.joined()
        }
        return SourcePath("gphoto2://\(part(device.model))/\(part(serial ?? device.port))")
    }

    /// The failure that made the device count as lost; nil while the device works.
    var loss: DeviceFailure? { state.withLock { $0.loss } }

    // MARK: - Listing

    /// Returns one page of a folder's entries.
    func page(of folder: Data, from start: Int) throws(DeviceFailure) -> DevicePage {
        try ask { process throws(DeviceFailure) in try process.page(of: folder, from: start) }
    }

    // MARK: - Files

    /// Returns the `gphoto2://` path of a folder, or of a file in it.
    func path(of folder: Data, _ name: Data? = nil) -> SourcePath {
        var path = path.bytes + folder
        if path.last == UInt8(ascii: "/") { path.removeLast() }
        guard let name else { return SourcePath(bytes: path) }
        return SourcePath(bytes: path + [UInt8(ascii: "/")] + name)
    }

    /// Returns the metadata by which the library recognizes a file: the device, folder, name, size
    /// and time.
    ///
    /// A file is transferred by each import if its size or time is unknown.
    func source(of file: DeviceFile, in folder: Data) -> SourceFile {
        let path = path(of: folder, file.name)
        let (time, overflow) = (file.time ?? 0).multipliedReportingOverflow(by: 1_000_000_000)
        let modified = overflow ? 0 : time
        return SourceFile(
            path: path.bytes,
            size: max(0, file.size ?? 0),
            modificationTime: modified,
            statusChangeTime: modified,
            inode: Self.number(of: path.bytes),
            device: Self.number(of: self.path.bytes)
        )
    }

    /// Transfers a file to a temporary file, and returns a descriptor of the temporary file.
    func transfer(_ file: DeviceFile, in folder: Data) throws(OpeningFailure) -> Descriptor {
        let target = try temporaryFile()
        if file.size == 0 { return target }
        let isOpenEnded = file.size.map { $0 >= Self.largestReported } ?? true
        let size = max(0, file.size ?? 0)
        let limit = isOpenEnded ? size.addingSaturated(Self.maximumExcess) : size
        let count: Int64
        do throws(DeviceFailure) {
            count = try ask { process throws(DeviceFailure) in
                guard ftruncate(target.number, 0) == 0 else {
                    throw DeviceFailure(.other, FileAccessError().words)
                }
                return try process.read(
                    file.name,
                    in: folder,
                    to: target.number,
                    limit: limit
                )
            }
        } catch {
            throw OpeningFailure(reason: reason(for: error))
        }
        state.withLock { $0.restartsLeft = Self.restarts }
        var status = stat()
        guard fstat(target.number, &status) == 0, Int64(status.st_size) == count else {
            throw OpeningFailure(reason: "It was not transferred completely.")
        }
        guard isOpenEnded || count == size else {
            throw OpeningFailure(
                reason: "Only \(count) of its \(size) bytes were transferred. Import it again."
            )
        }
        return target
    }

    private func reason(for failure: DeviceFailure) -> String {
        if control.isStopped { return "It was not transferred, since the import was stopped." }
        let words = "It cannot be transferred: \(failure.words)."
        return switch failure.kind {
        case .absent: "It disappeared from the device before it could be read."
        case .busy, .lost:
            ([words] + [failure.recovery].compactMap(\.self)).joined(separator: " ")
        case .process: words + " Import it again."
        case .tooLong, .other: words
        }
    }

    /// Creates an unnamed temporary file, on the library's volume if that volume supports such
    /// files.
    private func temporaryFile() throws(OpeningFailure) -> Descriptor {
        // O_TMPFILE, which Swift does not see.
        let flags = 0o20_000_000 | O_DIRECTORY | O_RDWR | O_CLOEXEC
        var number = Glibc.open(temporary, flags, 0o600)
        if number < 0, errno != EMFILE, errno != ENFILE {
            var name = Array("\(temporary)/staging/.device-XXXXXX".utf8CString)
            number = mkstemp(&name)
            if number >= 0 {
                unlink(name)
                _ = fcntl(number, F_SETFD, FD_CLOEXEC)
            }
        }
        guard number >= 0 else { throw OpeningFailure(errno) }
        return Descriptor(owning: number)
    }

    // MARK: - Process

    /// Sends a request, and retries it in a replacement process if the current process ended or the
    /// device was lost.
    private func ask<Answer>(
        _ request: (DeviceProcess) throws(DeviceFailure) -> Answer
    ) throws(DeviceFailure) -> Answer {
        var attempt = 0
        while true {
            attempt += 1
            let (process, loss) = state.withLock { ($0.process, $0.loss) }
            if let loss { throw loss }
            do {
                return try request(process)
            } catch {
                switch error.kind {
                case .lost where device.folder != nil && !isGone(process):
                    // The directory driver reports a file that is gone as a failure to read.
                    throw DeviceFailure(.absent, error.words)
                case .process where !control.isStopped && attempt <= Self.attempts,
                    .lost where !control.isStopped && attempt < Self.attempts:
                    try restart(after: process, error)
                    if attempt == Self.attempts { throw error }
                case .lost:
                    // The device can be opened, so that only this file cannot be read.
                    throw error
                default:
                    if isGone(process) {
                        let loss = DeviceFailure(.lost, error.words)
                        state.withLock { $0.loss = $0.loss ?? loss }
                        throw loss
                    }
                    throw error
                }
            }
        }
    }

    /// Returns whether the device no longer lists its root folder.
    ///
    /// Many drivers report a missing file if the device itself is disconnected.
    private func isGone(_ process: DeviceProcess) -> Bool {
        if let folder = device.folder { return !SourcePath(folder).exists }
        do throws(DeviceFailure) {
            _ = try process.page(of: Data("/".utf8), from: 0)
            return false
        } catch { return error.kind != .process }
    }

    /// Replaces a process that ended.
    private func restart(after old: DeviceProcess, _ failure: DeviceFailure) throws(DeviceFailure) {
        let result: Result<Void, DeviceFailure> = state.withLock { state in
            // Another thread replaced it.
            guard state.process === old else { return .success(()) }
            var last = failure
            // A process that ends while it starts is replaced, too.
            for _ in 0..<Self.attempts where state.restartsLeft > 0 && !control.isStopped {
                state.restartsLeft -= 1
                old.end()
                do throws(DeviceFailure) {
                    let process = try CameraDevice.start(folder: device.folder, control: control)
                    let serial = try process.open(device.address)
                    guard serial == self.serial else {
                        throw DeviceFailure(.lost, "another device is connected at \(device.port)")
                    }
                    _ = try process.page(of: Data("/".utf8), from: 0)
                    state.process = process
                    return .success(())
                } catch {
                    last = error.kind == .absent ? DeviceFailure(.lost, error.words) : error
                    if error.kind != .process { break }
                }
            }
            state.loss = last
            return .failure(last)
        }
        try result.get()
    }

    /// Returns a stable nonzero hash of bytes, for use as a device or inode number.
    private static func number(of bytes: [UInt8]) -> UInt64 {
        max(1, StableHash.value(of: bytes))
    }
}
