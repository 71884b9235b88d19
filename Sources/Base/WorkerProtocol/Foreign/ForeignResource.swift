package import PhotoModel

/// A file that belongs to a foreign asset, as the database describes it.
///
/// Only the directory listing decides whether it is there, so a path that leaves the library's
/// folder finds nothing.
package struct ForeignResource: Codable, Hashable, Sendable {
    /// The role of a file in its asset.
    package enum Role: String, Codable, Hashable, Sendable, CaseIterable {
        case original, pairedVideo, alternatePhoto
        /// The camera's own adjustments.
        case cameraAdjustments
        case sidecar
        case render, renderPairedVideo
        /// The base of an edit on an edit.
        case adjustmentBase
        /// The envelope of the edit's adjustments.
        case adjustments
        /// A smaller version that may stand for an absent original.
        case proxy
    }

    /// A description of where a file may be, relative to the source's folder.
    package enum Location: Codable, Hashable, Sendable {
        case path(String)
        /// Any file whose path begins with this text.
        case prefix(String)
        /// Any file below a folder whose name begins with this text.
        case name(String, below: String)
    }

    package var role: Role
    package var locations: [Location]
    /// Indicates whether an absent file is reported.
    package var isExpected: Bool
    /// The volume of a referenced original; its locations are relative to the volume.
    package var volume: String?
    /// The facts of an exported file; nil for files of other programs' libraries.
    package var stated: StatedFile?

    package init(
        _ role: Role,
        _ locations: [Location],
        isExpected: Bool,
        volume: String? = nil
    ) {
        self.role = role
        self.locations = locations
        self.isExpected = isExpected
        self.volume = volume
    }
}

/// A file of an exported asset, as the export describes it.
package struct StatedFile: Codable, Hashable, Sendable {
    /// The identifier that the file gets here if it is free; nil for a new one.
    package var uuid: String?
    package var type: ResourceType
    package var originalFilename: String
    package var contentType: String
    package var size: Int64
    /// The SHA-256 hash as 64 lowercase hexadecimal digits.
    package var sha256: String
    package var pixelSize: PixelSize
    /// Indicates whether the file was made by an edit.
    package var isOfEdit: Bool

    package init(
        uuid: String?,
        type: ResourceType,
        originalFilename: String,
        contentType: String,
        size: Int64,
        sha256: String,
        pixelSize: PixelSize,
        isOfEdit: Bool
    ) {
        self.uuid = uuid
        self.type = type
        self.originalFilename = originalFilename
        self.contentType = contentType
        self.size = size
        self.sha256 = sha256
        self.pixelSize = pixelSize
        self.isOfEdit = isOfEdit
    }
}
