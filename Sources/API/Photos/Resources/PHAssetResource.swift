public import Foundation
internal import LibraryService
package import PhotoModel
public import PhotosCompanions

/// A file of an asset: an original, its partner, what an edit made, or a sidecar.
open class PHAssetResource: NSObject, @unchecked Sendable {
    // Unchecked because the class is open; both stored properties are immutable and Sendable.

    /// What is stored about the file; nil for a resource of no library.
    package let record: ResourceRecord?
    /// The library that it is in.
    package let connection: LibraryConnection?
    /// Where it is, when that is known: always for a file of no library.
    let fileURL: URL?
    /// What the file lives as long as, where it is temporary.
    private let folder: RenderedFolder?

    /// A resource of no library, without values.
    public override init() {
        record = nil
        connection = nil
        fileURL = nil
        folder = nil
        super.init()
    }

    package init(record: ResourceRecord, connection: LibraryConnection, file: URL? = nil) {
        self.record = record
        self.connection = connection
        fileURL = file
        folder = nil
        super.init()
    }

    /// A file of no library, in a folder that lives as long as this object where one is given.
    init(record: ResourceRecord, file: URL, in folder: RenderedFolder? = nil) {
        self.record = record
        connection = nil
        fileURL = file
        self.folder = folder
        super.init()
    }

    /// The files of an asset, always in this order: the original, its partners, what edits made,
    /// adjustment data and sidecars.
    ///
    /// Their names differ, so that all of them can be written into one folder; see
    /// ``originalFilename``. An asset has one set of adjustment data at most: that of its edit, else that
    /// which it was imported with.
    ///
    /// - Returns: Nothing for an asset of no library, and, with a logged reason, when the library
    ///   cannot be read or the asset was removed for good.
    @discardableResult
    open class func assetResources(for asset: PHAsset) -> [PHAssetResource] {
        resources(of: asset, \.presented)
    }

    /// All files of an asset, adjustments of the camera that an edit's own replaced included.
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

    /// The files of a Live Photo: its still and its movie.
    ///
    /// - Returns: Nothing for a Live Photo that is degraded: it has no movie yet.
    @discardableResult
    open class func assetResources(for livePhoto: PHLivePhoto) -> [PHAssetResource] {
        livePhoto.resources
    }

    /// The part that it plays in its asset.
    open var type: PHAssetResourceType {
        record.flatMap { PHAssetResourceType(rawValue: $0.type.rawValue) } ?? .unnamed(0)
    }

    /// The local identifier of its asset; empty for a file of no library.
    open var assetLocalIdentifier: String {
        guard let record, !record.assetUUID.isEmpty else { return "" }
        return record.assetUUID + ObjectKind.asset.identifierSuffix
    }

    /// The name that it was imported under; a file that an edit made has the original's name with a mark:
    /// `IMG_1-edited.JPG`, its movie `IMG_1-edited.MOV`, adjustment data `IMG_1.AAE`.
    ///
    /// No two files of an asset have the same name, letter case aside: of imported ones that do, the later
    /// has a number.
    open var originalFilename: String { record?.originalFilename ?? "" }

    /// ``originalFilename`` with an extension that fits the file's bytes.
    ///
    /// The same as ``originalFilename`` but for a file that was named as what it is not.
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

    /// What kind of file it is, by its content.
    open var contentType: UTType { record.map { UTType(importedAs: $0.contentType) } ?? .data }

    /// The identifier of ``contentType``.
    open var uniformTypeIdentifier: String { contentType.identifier }

    /// Pixels across, upright; 0 when it has none.
    open var pixelWidth: Int { record?.pixelSize.width ?? 0 }

    /// Pixels down, upright; 0 when it has none.
    open var pixelHeight: Int { record?.pixelSize.height ?? 0 }

    /// How many bytes it has; nil when unknown.
    open var dataSize: Int? { record.map { Int($0.size) } }

    /// A property by its name, for programs that are used to key-value coding.
    ///
    /// Besides the properties: `isCurrent`, whether its asset shows the file now; `fileSize`;
    /// `locallyAvailable`; and `fileURL` or `privateFileURL`, the stored file, which must not be changed.
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
        case "locallyAvailable", "isLocallyAvailable": NSNumber(value: storedFile != nil)
        case "isCurrent": NSNumber(value: isCurrent)
        case "isInCloud": NSNumber(value: false)
        case "fileURL", "privateFileURL": storedFile
        default: nil
        }
    }

    /// The file in the library's folder; nil when it is not there.
    private var storedFile: URL? {
        let place = connection.flatMap { try? $0.service().status() }.map {
            URL(fileURLWithPath: $0.path).appendingPathComponent(record?.path ?? "")
        }
        guard record != nil, let file = place ?? fileURL else { return nil }
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }

    /// Equal when both are the same file of the same asset.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? PHAssetResource else { return false }
        return other === self || (record != nil && other.record?.uuid == record?.uuid)
    }

    /// Agrees with equality.
    open override var hash: Int { record?.uuid.hashValue ?? ObjectIdentifier(self).hashValue }

    /// Type, kind and name, for a person.
    open override var description: String {
        "<\(Swift.type(of: self)) \(type) \(uniformTypeIdentifier) \(originalFilename)>"
    }
}

extension LibraryError {
    /// Why an asset that was fetched has no files.
    fileprivate init(withoutFiles asset: AssetRecord) {
        self.init(
            .missingResource,
            "The asset \(asset.localIdentifier) has no files.",
            reason: """
                It was removed for good since it was fetched, the program may not see it any more, \
                or the library is damaged.
                """,
            recovery: "Fetch again; if it is still there, run photos verify.",
            identifiers: [asset.localIdentifier]
        )
    }
}
