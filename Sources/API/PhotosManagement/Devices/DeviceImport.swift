internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// Imports all photos and movies of a camera or phone.
///
/// Nothing on the device is changed or deleted. Files that an earlier import transferred are not
/// transferred again: the library recognizes them by the device's serial number and their folder,
/// name, size and time. Otherwise the import works like a ``LibraryImport``.
///
/// An import into a plan (``PhotoLibraryBundle/openPlan(of:)``) transfers no file. It lists the
/// files, and reports those that an earlier import transferred as `duplicate` and all others as
/// `imported`. Some outcomes depend on the bytes and so are unknown: whether the library already
/// has a file from another source, which files join a photo, and which cannot be imported. The
/// summary's notes then contain the remark `notTransferred`.
public struct DeviceImport: Sendable {
    private let library: PhotoLibraryBundle
    private let device: CameraDevice
    private let folders: [SourcePath]
    private let author: String?
    private let control: OperationControl

    /// Creates an import; call ``run(progress:handler:)`` to start it.
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
    /// `vanishedFolders` contains it, and its remaining files fail.
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
        ImportProcess.prepare()
        let source = try edge { () throws(LibraryError) in
            try DeviceSource(device, library: library.url, control: control)
        }
        return try library.withService(author: author) { service in
            try run(source, service, progress: progress, handler: handler)
        }
    }

    private func run(
        _ source: DeviceSource,
        _ service: any LibraryService,
        progress: (ImportProgress) throws -> Void,
        handler: (ImportEvent) throws -> Void
    ) throws -> ImportSummary {
        let session = try edge { () throws(LibraryError) in
            try service.beginImport(ImportSessionRequest()).session
        }
        defer { try? service.endImport(ImportEndRequest(session: session)) }
        var limits = ImportLimits(availableDescriptors: OpenFileLimit.available)
        // The files of a batch are transferred before the first of them is committed.
        limits.files = min(limits.files, 32)
        limits.bytes = 64 << 20
        let batches = ImportBatchSource(
            walker: DeviceWalker(source: source, folders: folders),
            service: service,
            session: session,
            limits: limits,
            asksForKnownFiles: true
        )
        if library.isPlan {
            var summary = try plan(batches, progress: progress, handler: handler)
            if source.loss != nil, !control.isStopped {
                summary.vanishedFolders.append(source.path)
            }
            return summary
        }
        var pipeline = ImportPipeline(
            source: batches,
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

    /// Performs a dry run: reports all outcomes that can be predicted without transferring files.
    private func plan(
        _ batches: ImportBatchSource,
        progress report: (ImportProgress) throws -> Void,
        handler: (ImportEvent) throws -> Void
    ) throws -> ImportSummary {
        var batches = batches
        var summary = ImportSummary()
        var progress = ImportProgress()
        while !control.isStopped {
            let next = try edge { () throws(LibraryError) in try batches.next() }
            guard let batch = next else {
                if summary.counts[.imported] != nil { summary.notes.append(Self.notTransferred) }
                return summary
            }
            summary.foundFiles += batch.fileCount
            for entry in batch.entries {
                let (outcome, bytes): (FileOutcome, Int64)
                switch entry {
                case .settled(let known, let size): (outcome, bytes) = (known, size)
                case .pending(let file): (outcome, bytes) = (Self.planned(file), file.source.size)
                case .notEntered(let path, let reason):
                    try handler(.notEntered(path, reason: reason))
                    continue
                }
                summary.counts[outcome.kind, default: 0] += 1
                progress.files += 1
                if outcome.kind == .imported {
                    summary.bytes = summary.bytes.addingSaturated(bytes)
                }
                progress.bytes = progress.bytes.addingSaturated(bytes)
                try handler(.outcome(outcome))
            }
            try report(progress)
        }
        summary.wasStopped = true
        return summary
    }

    /// Returns the dry-run outcome of a file that no earlier import transferred.
    private static func planned(_ file: SourceCandidate) -> FileOutcome {
        guard case .device(_, let entry, _) = file.place, entry.size == 0 else {
            return FileOutcome(path: file.path, kind: .imported)
        }
        return FileOutcome(path: file.path, kind: .failed, reason: "The file is empty (0 bytes).")
    }

    private static let notTransferred = FileOutcome.Note(
        code: "notTransferred",
        isError: false,
        text: "No file was transferred. Only its bytes decide whether the library has a file from"
            + " elsewhere, whether it joins another photo, such as the movie of a Live Photo, and"
            + " whether it can be imported."
    )
}
