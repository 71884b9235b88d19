internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// A connected camera or phone, as detected by libgphoto2.
///
/// A separate process, `photos-device`, accesses the device and can only read from it.
public struct CameraDevice: Hashable, Sendable {
    /// The name of the model, such as `Canon EOS R6`.
    public let model: String
    /// The port, such as `usb:001,005`, which changes each time the device is reconnected.
    public let port: String

    init(_ address: DeviceAddress) {
        model = address.model
        port = address.port
    }

    /// The name of the libgphoto2 model that presents a folder as a camera.
    private static let folderModel = "Directory Browse"
    private static let folderPrefix = "disk:"

    /// Finds the connected cameras and phones.
    ///
    /// - Throws: `PHPhotosError` if `photos-device` is not installed or cannot be started.
    public static func connected() throws -> [CameraDevice] {
        try edge { () throws(LibraryError) in try found() }
    }

    /// Returns the connected device with the given name.
    ///
    /// The name is a model, a part of a model that only one device has, or a port.
    ///
    /// For a port that consists of `disk:` and the path of a folder, no device needs to be
    /// connected: libgphoto2 presents the folder as a camera.
    ///
    /// - Throws: `PHPhotosError` if no device has this name, or several have.
    public static func named(_ name: String) throws -> CameraDevice {
        try edge { () throws(LibraryError) in try device(named: name) }
    }

    private static func device(named name: String) throws(LibraryError) -> CameraDevice {
        if name.hasPrefix(folderPrefix) {
            let folder = SourcePath(String(name.dropFirst(folderPrefix.count)))
            guard !folder.bytes.isEmpty, folder.absolute().exists else {
                throw LibraryError(
                    .inputOutput,
                    "The folder \(folder) does not exist.",
                    recovery: "Name an existing folder after disk:."
                )
            }
            let port = folderPrefix + folder.absolute().description
            return CameraDevice(DeviceAddress(model: folderModel, port: port))
        }
        let devices = try found()
        let wanted = name.lowercased()
        let exact = devices.filter { $0.port == name || $0.model.lowercased() == wanted }
        let matches =
            exact.isEmpty ? devices.filter { $0.model.lowercased().contains(wanted) } : exact
        if let first = matches.first, matches.count == 1, !wanted.isEmpty { return first }
        let list = devices.map { "\($0.model) (\($0.port))" }.joined(separator: ", ")
        throw LibraryError(
            .inputOutput,
            matches.isEmpty || wanted.isEmpty
                ? "No connected camera or phone has the name \(name)."
                : "Several connected cameras or phones have the name \(name).",
            reason: devices.isEmpty ? "None was found." : "Connected are: \(list).",
            recovery: devices.isEmpty
                ? "Connect it, turn it on and unlock it. A phone must allow file transfer or trust"
                    + " this computer. Then list it with photos import --list-devices."
                : "Use one of these names, or the port."
        )
    }

    private static func found() throws(LibraryError) -> [CameraDevice] {
        do throws(DeviceFailure) {
            return try start(folder: nil).devices()
                .filter { !$0.port.hasPrefix(folderPrefix) }.map(CameraDevice.init)
        } catch {
            throw error.libraryError("Cameras and phones cannot be listed.")
        }
    }

    /// The path of the folder that libgphoto2 presents as a camera; nil for a connected camera or
    /// phone.
    var folder: String? {
        port.hasPrefix(Self.folderPrefix) ? String(port.dropFirst(Self.folderPrefix.count)) : nil
    }

    var address: DeviceAddress { DeviceAddress(model: model, port: port) }

    /// Starts a `photos-device` process.
    ///
    /// The process ends soon after `control` is stopped while a request is in progress.
    static func start(
        folder: String?,
        control: OperationControl? = nil
    ) throws(DeviceFailure) -> DeviceProcess {
        guard let path = DeviceLocator.locate() else {
            throw DeviceFailure(.process, "photos-device is not installed")
        }
        return try DeviceProcess(path: path, folder: folder) { control?.isStopped ?? false }
    }
}

extension DeviceFailure {
    /// The recovery suggestion for the user; nil if there is none.
    var recovery: String? {
        switch kind {
        case .busy:
            "Another program may use it, or this user may not. If the desktop has mounted it, eject"
                + " it in the file manager, or run gio mount -s gphoto2 and gio mount -s mtp. Then"
                + " try again."
        case .lost:
            "Connect it, turn it on and unlock it, and run the command again, which adds the rest."
        case .process:
            "Install swift-photos completely (make install, or the Debian package), or set"
                + " PHOTOS_DEVICE to the path of photos-device."
        case .absent, .tooLong, .other: nil
        }
    }

    func libraryError(_ message: String) -> LibraryError {
        LibraryError(
            kind == .busy ? .busy : .inputOutput,
            message,
            reason: "The reason: \(words).",
            recovery: recovery
        )
    }
}
