public import Foundation
internal import LibraryService
package import PhotoModel
public import PhotosCompanions
internal import Synchronization

/// A file of an asset: an original, its paired file, the result of an edit, or a sidecar.
open class PHAssetResource: NSObject, @unchecked Sendable {
    // Unchecked because the class is open. Its stored properties are immutable and Sendable.

    /// The stored record, or nil for a resource without a library.
    package let record: ResourceRecord?
    /// The library that contains the resource.
    package let connection: LibraryConnection?
    /// The URL of the file, or nil if unknown.
    ///
    /// It is always known for a file without a library.
    let fileURL: URL?
    /// The open file that `fileURL` refers to, retained while the resource exists.
    let file: LibraryFile?
    /// The open file to which a `/proc` URL refers; nil until the URL is first needed.
    ///
    /// It is used in a program to which the library does not reveal the file's path.
    private let opened = Mutex<LibraryFile?>(nil)
    /// The temporary folder that contains the file, retained while the resource exists.
    private let folder: RenderedFolder?

    /// Creates a resource that belongs to no library and whose properties have default values.
    public override init() {
        record = nil
        connection = nil
        fileURL = nil
        file = nil
        folder = nil
        super.init()
    }

    init(record: ResourceRecord, connection: LibraryConnection, file: LibraryFile? = nil) {
        self.record = record
        self.connection = connection
        fileURL = file?.url
        self.file = file
        folder = nil
        super.init()
    }

    /// Creates a resource for a file without a library, and retains the file's temporary folder if
    /// any.
    init(record: ResourceRecord, file: URL, in folder: RenderedFolder? = nil) {
        self.record = record
        connection = nil
        fileURL = file
        self.file = nil
        self.folder = folder
        super.init()
    }

    /// Returns the files of an asset in a fixed order.
    ///
    /// The order is: the original, its paired files, the results of edits, adjustment data,
    /// sidecars. File names are unique, so all files can be written to one folder; see
    /// ``originalFilename``. An asset has at most one set of adjustment data: that of its edit, or
    /// otherwise the one it was imported with.
    ///
    /// - Returns: The files. The array is empty for an asset without a library. It is also empty,
    ///   and the reason is logged, when the library cannot be read or the asset was permanently
    ///   deleted.
    @discardableResult
    open class func assetResources(for asset: PHAsset) -> [PHAssetResource] {
        resources(of: asset, \.presented)
    }

    /// Returns all stored files of an asset, including camera adjustments that an edit replaced.
    package class func storedResources(for asset: PHAsset) -> [PHAssetResource] {
        resources(of: asset, \.named)
    }

    private class func resources(
        of asset: PHAsset,
        _ selection: KeyPath<[ResourceRecord], [ResourceRecord]>
    ) -> [PHAssetResource] {
        guard let record = asset.record, let connection = asset.connection else { return [] }
        do throws(LibraryError) {
            let records = try connection.service()
                .listResources(ResourceListRequest(assetUUID: record.uuid)).resources
            if records.isEmpty { connection.report(LibraryError(withoutFiles: record)) }
            return records[keyPath: selection].map {
                PHAssetResource(record: $0, connection: connection)
            }
        } catch {
            connection.reportUnlessUnavailable(error)
            return []
        }
    }

    /// Returns the files of a Live Photo: its still image and its movie.
    ///
    /// - Returns: The files. The array is empty for a degraded Live Photo, which has no movie yet.
    @discardableResult
    open class func assetResources(for livePhoto: PHLivePhoto) -> [PHAssetResource] {
        livePhoto.resources
    }

    /// The role of the file in its asset.
    open var type: PHAssetResourceType {
        record.flatMap { PHAssetResourceType(rawValue: $0.type.rawValue) } ?? .unnamed(0)
    }

    /// The local identifier of the file's asset, or an empty string for a file without a library.
    open var assetLocalIdentifier: String {
        guard let record, !record.assetUUID.isEmpty else { return "" }
        return record.assetUUID + ObjectKind.asset.identifierSuffix
    }

    /// The file name at import; for a file that an edit created, a name derived from the original's
    /// name.
    ///
    /// Examples of derived names are `IMG_1-edited.JPG`, its movie `IMG_1-edited.MOV`, and the
    /// adjustment data `IMG_1.AAE`. File names of an asset are unique, ignoring case. If imported
    /// names collide, the later file's name is numbered.
    open var originalFilename: String { record?.originalFilename ?? "" }

    /// The ``originalFilename``, with an extension that matches the file's content.
    ///
    /// It differs from ``originalFilename`` only if that name's extension is wrong.
    open var filename: String? {
        guard let record else { return nil }
        let type = contentType
        let name = record.originalFilename as NSString
        if let named = UTType(filenameExtension: name.pathExtension),
            named == type || named.conforms(to: type) || type.conforms(to: named)
        {
            return record.originalFilename
        }
        guard let wanted = type.preferredFilenameExtension else { return record.originalFilename }
        return UTType(filenameExtension: name.pathExtension) == nil
            ? record.originalFilename + "." + wanted
            : name.deletingPathExtension + "." + wanted
    }

    /// The type of the file, detected from its content.
    open var contentType: UTType { record.map { UTType(importedAs: $0.contentType) } ?? .data }

    /// The identifier of ``contentType``.
    open var uniformTypeIdentifier: String { contentType.identifier }

    /// The width in pixels after orientation, or 0 if the file has no pixels.
    open var pixelWidth: Int { record?.pixelSize.width ?? 0 }

    /// The height in pixels after orientation, or 0 if the file has no pixels.
    open var pixelHeight: Int { record?.pixelSize.height ?? 0 }

    /// The size in bytes, or nil if unknown.
    open var dataSize: Int? { record.map { Int($0.size) } }

    /// Returns the value of a property by its name, for programs that rely on key-value coding.
    ///
    /// Additional keys are `isCurrent`, which indicates whether the asset shows the file now;
    /// `fileSize`; `locallyAvailable`; and `fileURL` or `privateFileURL`, the stored file, which
    /// must not be changed. For a program that uses the daemon, these URLs are valid as long as the
    /// resource exists.
    open func value(forKey key: String) -> Any? {
        switch key {
        case "type": NSNumber(value: type.rawValue)
        case "assetLocalIdentifier": assetLocalIdentifier
        case "originalFilename": originalFilename
        case "filename": filename
        case "contentType": contentType
        case "uniformTypeIdentifier", "uti": uniformTypeIdentifier
        case "pixelWidth": NSNumber(value: pixelWidth)
        case "pixelHeight": NSNumber(value: pixelHeight)
        case "fileSize", "dataSize", "dataLength": dataSize.map { NSNumber(value: $0) }
        case "locallyAvailable", "isLocallyAvailable": NSNumber(value: isStored)
        case "isCurrent": NSNumber(value: isCurrent)
        case "isInCloud": NSNumber(value: isInCloud)
        case "fileURL", "privateFileURL": storedFile
        default: nil
        }
    }

    /// The URL of the stored file, or nil if the file does not exist.
    private var storedFile: URL? {
        guard let place else { return nil }
        switch place {
        case .path(let url): return FileManager.default.fileExists(atPath: url.path) ? url : nil
        case .concealed(let record, let service):
            if let file, file.isTemporary { return file.url }
            return opened.withLock { opened in
                if opened == nil { opened = try? Self.open(record, service) }
                return opened?.url
            }
        }
    }

    /// Indicates whether the stored file exists.
    private var isStored: Bool {
        switch place {
        case nil: false
        case .path: storedFile != nil
        case .concealed(let record, let service): (try? Self.open(record, service)) != nil
        }
    }

    /// Indicates whether the file must be downloaded before it can be read.
    private var isInCloud: Bool {
        guard let record, !isStored, let service = connection.flatMap({ try? $0.service() }) else {
            return false
        }
        do throws(LibraryError) {
            _ = try Self.open(record, service)
            return false
        } catch {
            return error.isInCloud
        }
    }

    private enum Place {
        case path(URL)
        /// A file whose path the program does not receive.
        case concealed(ResourceRecord, any LibraryService)
    }

    private var place: Place? {
        guard let record else { return nil }
        guard let service = connection.flatMap({ try? $0.service() }),
            let status = try? service.status()
        else { return fileURL.map(Place.path) }
        guard let library = status.path else { return .concealed(record, service) }
        return .path(URL(fileURLWithPath: library).appendingPathComponent(record.path))
    }

    private static func open(
        _ record: ResourceRecord,
        _ service: any LibraryService
    ) throws(LibraryError) -> LibraryFile {
        let request = ResourceOpenRequest(resourceUUID: record.uuid)
        return LibraryFile(path: nil, try service.openResource(request).1)
    }

    /// Returns whether both objects are the same file of the same asset.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? PHAssetResource else { return false }
        return other === self || (record != nil && other.record?.uuid == record?.uuid)
    }

    /// A hash value that is consistent with equality.
    open override var hash: Int { record?.uuid.hashValue ?? ObjectIdentifier(self).hashValue }

    /// The type, the content type and the name, for debugging.
    open override var description: String {
        "<\(Swift.type(of: self)) \(type) \(uniformTypeIdentifier) \(originalFilename)>"
    }
}

extension LibraryError {
    /// Creates the error for a fetched asset that has no files.
    fileprivate init(withoutFiles asset: AssetRecord) {
        self.init(
            .missingResource,
            "The asset \(asset.localIdentifier) has no files.",
            reason: """
                It has been permanently deleted, the program no longer has permission to see it, \
                or the library is damaged.
                """,
            recovery: "Fetch again. If the asset still exists, run photos verify.",
            identifiers: [asset.localIdentifier]
        )
    }
}
