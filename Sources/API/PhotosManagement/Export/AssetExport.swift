internal import Dispatch
public import Foundation
internal import Glibc
internal import PhotoModel
public import Photos
internal import Synchronization

/// Writes assets into a folder, byte for byte as they were imported.
///
/// What belongs together comes out together: the still and the movie of a Live Photo, the JPEG and
/// the RAW, the sidecars, under one name, or nothing of them. Names that are taken get a number;
/// nothing is replaced. The files' times are set to the capture time.
public struct AssetExport: Sendable {
    /// Which version of an edited asset.
    public enum Version: String, Sendable, Hashable, CaseIterable {
        /// As it was imported, with everything that came with it.
        case original
        /// As it is shown: the rendered edit where there is one, else the original.
        case current
    }

    /// A file that was written.
    public struct ExportedFile: Sendable, Hashable {
        /// Where it is.
        public var path: String
        /// The part it plays in its asset.
        public var role: PHAssetResourceType
    }

    private let folder: ExportFolder
    private let version: Version
    private let control: OperationControl

    /// Prepares to export into a folder, which is made when it is not there.
    ///
    /// - Parameters:
    ///   - folder: The folder; those around it are made, too.
    ///   - version: The version of edited assets that is written.
    ///   - control: Stops the export from elsewhere, in the middle of a file, too.
    /// - Throws: `PHPhotosError` when the folder cannot be made.
    public init(
        to folder: URL,
        version: Version = .original,
        control: OperationControl = OperationControl()
    ) throws {
        self.folder = try edge { () throws(LibraryError) in
            try ExportFolder(path: folder.path(percentEncoded: false))
        }
        self.version = version
        self.control = control
    }

    /// Writes all files of an asset, or none.
    ///
    /// - Parameter asset: An asset of an open library.
    /// - Returns: What was written, the leading file first.
    /// - Throws: `PHPhotosError`, which is `userCancelled` when the export was stopped; then nothing
    ///   of this asset is in the folder.
    public func export(_ asset: PHAsset) throws -> [ExportedFile] {
        let resources = Self.resources(of: asset, version: version)
        try edge { () throws(LibraryError) in try Self.check(resources, of: asset) }
        let stage = try edge { () throws(LibraryError) in try folder.makeStage() }
        defer { folder.discard(stage) }
        for (index, resource) in resources.enumerated() {
            let path = "\(stage)/\(index)"
            try write(resource, to: URL(filePath: path, directoryHint: .notDirectory))
            if let date = asset.creationDate { Self.setTime(date, of: path) }
        }
        let paths = try edge { () throws(LibraryError) in
            try folder.place(
                resources.indices.map(String.init),
                as: ExportNames(resources.map(\.originalFilename)),
                from: stage,
                control: control
            )
        }
        return zip(paths, resources).map { ExportedFile(path: $0, role: $1.type) }
    }

    // MARK: - What to write

    /// The resources that make up a version, the leading one first.
    private static func resources(of asset: PHAsset, version: Version) -> [PHAssetResource] {
        let all = PHAssetResource.storedResources(for: asset)
        let rendered = all.filter { renderedTypes.contains($0.type) }
        if version == .current, !rendered.isEmpty { return rendered }
        // Adjustments that came with the original are part of it.
        return all.filter { resource in
            !asset.hasAdjustments || resource.record?.isOfEdit != true
        }
    }

    private static let renderedTypes: Set<PHAssetResourceType> = [
        .fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo,
    ]

    /// Half a Live Photo is not an export.
    private static func check(_ resources: [PHAssetResource], of asset: PHAsset)
        throws(LibraryError)
    {
        guard !resources.isEmpty else {
            throw LibraryError(
                .missingResource,
                "The asset \(asset.localIdentifier) has no files.",
                recovery: "Run photos verify.",
                identifiers: [asset.localIdentifier]
            )
        }
        let movies: Set<PHAssetResourceType> = [.pairedVideo, .fullSizePairedVideo]
        guard asset.mediaSubtypes.contains(.photoLive),
            !resources.contains(where: { movies.contains($0.type) })
        else { return }
        throw LibraryError(
            .missingResource,
            "The Live Photo \(asset.localIdentifier) has no movie.",
            recovery: "Run photos verify.",
            identifiers: [asset.localIdentifier]
        )
    }

    // MARK: - Writing

    private func write(_ resource: PHAssetResource, to url: URL) throws {
        let finished = DispatchSemaphore(value: 0)
        let failure = Mutex<(any Error)?>(nil)
        let task = Task {
            do {
                try await PHAssetResourceManager.default()
                    .writeData(for: resource, toFile: url, options: nil)
            } catch {
                failure.withLock { $0 = error }
            }
            finished.signal()
        }
        let token = control.whenStopped { task.cancel() }
        defer { control.forget(token) }
        finished.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }

    /// Not fatal where the file system has no such times.
    private static func setTime(_ date: Date, of path: String) {
        let seconds = date.timeIntervalSince1970
        guard let whole = Int(exactly: seconds.rounded(.down)) else { return }
        let time = timespec(tv_sec: whole, tv_nsec: Int((seconds - Double(whole)) * 1e9))
        utimensat(AT_FDCWD, path, [time, time], 0)
    }
}
