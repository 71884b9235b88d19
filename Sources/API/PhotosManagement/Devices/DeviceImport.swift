internal import Foundation
internal import LibraryService
internal import PhotoModel

/// Imports all photos and movies of a camera or phone.
///
/// Nothing on the device is changed or deleted. Files that an earlier import transferred are not
/// transferred again: the library remembers them by the device's serial number and their folder,
/// name, size and time. Everything else is as in ``LibraryImport``.
public struct DeviceImport: Sendable {
    private let library: PhotoLibraryBundle
    private let device: CameraDevice
    private let folders: [SourcePath]
    private let author: String?
    private let control: OperationControl

    /// Creates an import, which starts with ``run(progress:handler:)``.
    ///
    /// - Parameters:
    ///   - library: The target library.
    ///   - device: The camera or phone.
    ///   - folders: The folders on the device; by default the folders `DCIM` of all storages, or
    ///     everything on a storage without one.
    ///   - author: The author recorded in the library's history; nil for the program's name.
    ///   - control: Stops the import from another thread.
    public init(
        library: PhotoLibraryBundle,
        device: CameraDevice,
        folders: [SourcePath] = [],
        author: String? = nil,
        control: OperationControl = OperationControl()
    ) {
        self.library = library
        self.device = device
        self.folders = folders
        self.author = author
        self.control = control
    }

    /// Imports until every file has an outcome, the device is lost, or the import is stopped.
    ///
    /// The paths of the outcomes begin with `gphoto2://`. If the device is lost, the summary's
    /// `vanishedFolders` names it, and its remaining files failed.
    ///
    /// - Parameters:
    ///   - progress: Called after each batch. An error that it throws ends the import.
    ///   - handler: Called for each event, in order, as soon as it is durable. An error that it
    ///     throws ends the import.
    /// - Returns: The result in numbers.
    /// - Throws: `PHPhotosError` when the device cannot be opened, or the import cannot continue.
    public func run(
        progress: (ImportProgress) throws -> Void = { _ in },
        handler: (ImportEvent) throws -> Void
    ) throws -> ImportSummary {
        OpenFileLimit.raise()
        let service = library.service
        let source = try edge { () throws(LibraryError) in
            try DeviceSource(device, library: library.url, control: control)
        }
        let name = author ?? ProcessInfo.processInfo.processName
        let session = try edge { () throws(LibraryError) in
            try service.beginImport(ImportSessionRequest(author: name)).session
        }
        defer { try? service.endImport(ImportEndRequest(session: session)) }
        var limits = ImportLimits(availableDescriptors: OpenFileLimit.available)
        // The files of a batch are transferred before the first of them is committed.
        limits.files = min(limits.files, 32)
        limits.bytes = 64 << 20
        var pipeline = ImportPipeline(
            source: ImportBatchSource(
                walker: DeviceWalker(source: source, folders: folders),
                service: service,
                session: session,
                limits: limits,
                asksForKnownFiles: true
            ),
            limits: limits,
            service: service,
            session: session,
            verifiesDuplicates: false,
            removesSources: false,
            control: control,
            counter: nil,
            vanished: VanishedFolders(roots: [])
        )
        var summary = try pipeline.run(progress: progress, handler: handler)
        if source.loss != nil, !control.isStopped { summary.vanishedFolders.append(source.path) }
        return summary
    }
}
