public import Foundation
internal import Glibc
internal import PhotoModel
public import Photos

/// Copies the files of assets into a folder, byte for byte as the library stores them.
///
/// The files of an asset are exported together under a common name: the still and the movie of a
/// Live Photo, the JPEG and the RAW, the sidecars. If one file fails, none is exported. A name that
/// is taken gets a number; no file is replaced. The files' times are set to the capture time. As
/// after a copy by the shell, a power failure may lose files that were exported shortly before;
/// ``LibraryExport`` reports only files that are durable.
public struct AssetExport: Sendable {
    /// The version of an edited asset.
    public enum Version: String, Sendable, Hashable, CaseIterable {
        /// The asset as it was imported, with all of its files.
        case original
        /// The current version: the rendered edit if there is one, otherwise the original.
        case current
    }

    /// An exported file.
    public struct ExportedFile: Sendable, Hashable {
        /// The path of the file.
        public var path: String
        /// The role of the file in its asset.
        public var role: PHAssetResourceType
    }

    private let folder: ExportFolder
    private let version: Version
    private let control: OperationControl

    /// Creates an export into a folder, and creates the folder if it does not exist.
    ///
    /// - Parameters:
    ///   - folder: The folder. Missing parent folders are created, too.
    ///   - version: The version of edited assets to write.
    ///   - control: Stops the export from another thread, even in the middle of a file.
    /// - Throws: `PHPhotosError` when the folder cannot be created.
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

    /// Exports all files of an asset; exports none of them if one fails.
    ///
    /// - Parameter asset: An asset of an open library.
    /// - Returns: The exported files, the primary file first.
    /// - Throws: `PHPhotosError`, with `userCancelled` when the export was stopped. No file of this
    ///   asset is then in the folder.
    public func export(_ asset: PHAsset) throws -> [ExportedFile] {
        let resources = Self.resources(of: asset, version: version)
        try edge { () throws(LibraryError) in try Self.check(resources, of: asset) }
        let stage = try edge { () throws(LibraryError) in try folder.makeStage() }
        defer { folder.discard(stage) }
        for (index, resource) in resources.enumerated() {
            let path = "\(stage)/\(index)"
            try PHAssetResourceManager.write(
                resource,
                to: URL(filePath: path, directoryHint: .notDirectory),
                isCancelled: { [control] in control.isStopped }
            )
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

    // MARK: - Selecting resources

    /// Returns the resources of a version, the primary one first.
    private static func resources(of asset: PHAsset, version: Version) -> [PHAssetResource] {
        let all = PHAssetResource.storedResources(for: asset)
        let rendered = all.filter { renderedTypes.contains($0.type) }
        if version == .current, !rendered.isEmpty { return rendered }
        // Adjustments imported with the original are part of it.
        return all.filter { resource in
            !asset.hasAdjustments || resource.record?.isOfEdit != true
        }
    }

    private static let renderedTypes: Set<PHAssetResourceType> = [
        .fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo,
    ]

    /// Checks that an asset has files, and that a Live Photo has its movie.
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

    /// Sets the access and modification times of a file to a date; errors are ignored, because some
    /// file systems cannot store every date.
    private static func setTime(_ date: Date, of path: String) {
        let seconds = date.timeIntervalSince1970
        guard let whole = Int(exactly: seconds.rounded(.down)) else { return }
        let time = timespec(tv_sec: whole, tv_nsec: Int((seconds - Double(whole)) * 1e9))
        utimensat(AT_FDCWD, path, [time, time], 0)
    }
}
