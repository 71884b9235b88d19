package import FoundationEssentials
internal import PhotoModel

/// The adjustments of an editor in its own format, opaque to the library.
package struct ContentAdjustments: Codable, Hashable, Sendable {
    /// The maximum length of the data in bytes; longer data belongs in a file.
    package static let maximumLength = 16 << 20

    package var formatIdentifier: String
    package var formatVersion: String
    package var data: Data

    package init(formatIdentifier: String, formatVersion: String, data: Data) {
        self.formatIdentifier = formatIdentifier
        self.formatVersion = formatVersion
        self.data = data
    }
}

/// An edit of an asset's content: the rendered files and the adjustments.
package struct ContentEdit: Codable, Hashable, Sendable {
    /// The adjustments of this edit.
    ///
    /// Applied to the files that the editor started from, they produce the rendered files.
    package var adjustments: ContentAdjustments
    /// The rendered files: a full-size photo, a full-size video, or a full-size photo and its
    /// paired video.
    ///
    /// Their content types state the required format.
    package var renderings: [ResourceCreation]
    /// The UUIDs of the files that the editor started from.
    ///
    /// Files of an earlier edit are kept as the base of the new adjustments; originals are always
    /// kept.
    package var bases: [String]

    package init(
        adjustments: ContentAdjustments,
        renderings: [ResourceCreation],
        bases: [String] = []
    ) {
        self.adjustments = adjustments
        self.renderings = renderings
        self.bases = bases
    }
}

/// A request for the adjustments of an asset.
package struct AdjustmentsRequest: Codable, Hashable, Sendable {
    package var assetUUID: String
    package init(assetUUID: String) { self.assetUUID = assetUUID }
}

/// The adjustments of an asset.
package struct AdjustmentsReply: Codable, Hashable, Sendable {
    /// The adjustments; nil for an asset without an edit, and for an edit without readable
    /// adjustments.
    package var adjustments: ContentAdjustments?
    package init(adjustments: ContentAdjustments?) { self.adjustments = adjustments }
}
