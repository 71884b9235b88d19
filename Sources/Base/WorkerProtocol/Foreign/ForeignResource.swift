package import PhotoModel

/// A file of a foreign asset, as the database describes it.
///
/// The file is looked up in the listing of the source's folder. So a path that leads out of the
/// folder finds nothing.
package struct ForeignResource: Codable, Hashable, Sendable {
    /// The role of a file in its asset.
    package enum Role: String, Codable, Hashable, Sendable, CaseIterable {
        case original, pairedVideo, alternatePhoto
        /// The camera's own adjustments.
        case cameraAdjustments
        case sidecar
        case render, renderPairedVideo
        /// The rendered image or movie that a further edit is based on.
        case adjustmentBase
        /// The file that contains the edit's adjustments.
        case adjustments
        /// A reduced version that can replace a missing original.
        case proxy
    }

    /// A path or a path pattern for a file, relative to the source's folder.
    package enum Location: Codable, Hashable, Sendable {
        case path(String)
        /// Any file whose path begins with this text.
        case prefix(String)
        /// Any file inside the folder `below` whose name begins with this text.
        case name(String, below: String)
    }

    package var role: Role
    package var locations: [Location]
    /// Indicates whether the file is reported as missing if it does not exist.
    package var isExpected: Bool
    /// The name of the volume that holds a referenced original; nil for files in the source's
    /// folder.
    ///
    /// The locations are then relative to the volume.
    package var volume: String?
    /// The properties that an export states for the file; nil for other programs' libraries.
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
    /// The UUID for the imported file, unless it is already taken; nil to create one.
    package var uuid: String?
    package var type: ResourceType
    package var originalFilename: String
    package var contentType: String
    package var size: Int64
    /// The SHA-256 hash as 64 lowercase hexadecimal digits.
    package var sha256: String
    package var pixelSize: PixelSize
    /// Indicates whether the file was created by an edit.
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
