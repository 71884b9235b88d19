internal import CGPhotoShim
internal import FoundationEssentials
internal import Glibc
internal import WorkerProtocol

/// A connected camera or phone, read with libgphoto2.
///
/// Offers no way to change a device.
final class Camera {
    private let camera: OpaquePointer

    /// Loads libgphoto2's drivers.
    init() throws(DeviceFailure) {
        var code: Int32 = 0
        guard let camera = cphotos_camera_new(&code) else {
            throw DeviceFailure(.process, "libgphoto2 cannot be loaded: \(Self.words(nil, code))")
        }
        self.camera = camera
    }

    deinit { cphotos_camera_free(camera) }

    /// The minimum time between two progress reports, in nanoseconds.
    private static let interval: UInt64 = 200_000_000

    // MARK: - Devices

    /// Finds the connected devices.
    func devices() throws(DeviceFailure) -> [DeviceAddress] {
        let found = Found()
        try check(
            cphotos_camera_detect(camera, found.pointer) { context, model, port in
                Found.of(context)?.add(model, port)
            }
        )
        return withExtendedLifetime(found) {
            found.texts.prefix(256).map { DeviceAddress(model: $0.0, port: $0.1) }
        }
    }

    /// Opens a device; returns its serial number, or nil if the device does not report one.
    func open(_ address: DeviceAddress) throws(DeviceFailure) -> String? {
        try check(cphotos_camera_open(camera, address.model, address.port))
        var serial = [CChar](repeating: 0, count: 256)
        cphotos_camera_serial(camera, &serial, serial.count)
        let text = Self.text(serial)
        return text.isEmpty ? nil : text
    }

    // MARK: - Files

    /// Returns the names of a folder's subfolders, or of its files if `ofFolders` is false.
    func names(in folder: Data, ofFolders: Bool) throws(DeviceFailure) -> [Data] {
        let found = Found()
        let code = Self.string(folder) { folder in
            cphotos_camera_list(camera, folder, ofFolders ? 1 : 0, found.pointer) { context, name in
                Found.of(context)?.add(name)
            }
        }
        try check(code)
        return withExtendedLifetime(found) { found.names }
    }

    /// Returns a file with its size and modification time, each nil if the device does not report
    /// it.
    func facts(of name: Data, in folder: Data) throws(DeviceFailure) -> DeviceFile {
        var facts = cphotos_camera_file()
        let code = Self.string(folder) { folder in
            Self.string(name) { cphotos_camera_facts(camera, folder, $0, &facts) }
        }
        let file = DeviceFile(name: name, size: nil, time: nil)
        guard code >= 0 else {
            // A file that vanished since it was listed fails when it is read.
            if Self.kind(code) == .lost { try check(code) }
            return file
        }
        return DeviceFile(
            name: name,
            size: facts.size < 0 ? nil : facts.size,
            time: facts.time < 0 ? nil : facts.time
        )
    }

    /// Copies a file from the device to a descriptor; returns the number of bytes.
    func read(
        _ name: Data,
        in folder: Data,
        to descriptor: Int32,
        limit: Int64,
        progress: @escaping (Int64) -> Void
    ) throws(DeviceFailure) -> Int64 {
        let reporter = Reporter(progress)
        var written: UInt64 = 0
        let code = Self.string(folder) { folder in
            Self.string(name) { name in
                cphotos_camera_read(
                    camera,
                    folder,
                    name,
                    descriptor,
                    UInt64(max(0, limit)),
                    &written,
                    Unmanaged.passUnretained(reporter).toOpaque()
                ) { context, count in
                    guard let context else { return }
                    Unmanaged<Reporter>.fromOpaque(context).takeUnretainedValue().report(count)
                }
            }
        }
        withExtendedLifetime(reporter) {}
        try check(code)
        return Int64(clamping: written)
    }

    // MARK: - C

    /// The names that a call to libgphoto2 reports through its callback.
    private final class Found {
        /// The maximum number of names to keep; further ones are ignored.
        ///
        /// No real folder has as many entries.
        static let maximum = 200_000
        var names: [Data] = []
        var texts: [(String, String)] = []

        var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

        static func of(_ context: UnsafeMutableRawPointer?) -> Found? {
            context.map { Unmanaged<Found>.fromOpaque($0).takeUnretainedValue() }
        }

        func add(_ name: UnsafePointer<CChar>) {
            guard names.count < Self.maximum else { return }
            names.append(Data(bytes: name, count: strlen(name)))
        }

        func add(_ model: UnsafePointer<CChar>, _ port: UnsafePointer<CChar>) {
            texts.append((String(cString: model), String(cString: port)))
        }
    }

    /// Reports the progress of a transfer, at most once per `interval`.
    private final class Reporter {
        private let progress: (Int64) -> Void
        private var last: UInt64 = 0

        init(_ progress: @escaping (Int64) -> Void) { self.progress = progress }

        func report(_ count: UInt64) {
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            let time =
                UInt64(clamping: now.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: now.tv_nsec)
            guard time &- last >= Camera.interval else { return }
            last = time
            progress(Int64(clamping: count))
        }
    }

    private func check(_ code: Int32) throws(DeviceFailure) {
        guard code < 0 else { return }
        throw DeviceFailure(Self.kind(code), Self.words(camera, code))
    }

    private static func kind(_ code: Int32) -> DeviceFailure.Kind {
        switch cphotos_camera_class(code) {
        case CPHOTOS_CAMERA_BUSY: .busy
        case CPHOTOS_CAMERA_LOST: .lost
        case CPHOTOS_CAMERA_ABSENT: .absent
        case CPHOTOS_CAMERA_TOO_LONG: .tooLong
        default: .other
        }
    }

    private static func words(_ camera: OpaquePointer?, _ code: Int32) -> String {
        var words = [CChar](repeating: 0, count: 512)
        cphotos_camera_words(camera, code, &words, words.count)
        return text(words)
    }

    private static func text(_ characters: [CChar]) -> String {
        let bytes = characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Calls `body` with the bytes as a C string, which ends at the first null byte.
    private static func string<Result>(
        _ data: Data,
        _ body: (UnsafePointer<CChar>) -> Result
    ) -> Result {
        let characters = data.map { CChar(bitPattern: $0) } + [0]
        return characters.withUnsafeBufferPointer { buffer in
            // The array has at least its terminator.
            guard let start = buffer.baseAddress else { return body([0]) }
            return body(start)
        }
    }
}
