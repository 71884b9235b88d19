package import FoundationEssentials
internal import PhotoModel

/// What an editor did, in its own words: opaque to the library.
package struct ContentAdjustments: Codable, Hashable, Sendable {
    /// More bytes than these are no adjustments but a file.
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

/// An edit of an asset's content: what was rendered, and how.
package struct ContentEdit: Codable, Hashable, Sendable {
    /// What was done to the files that the editor began with.
    package var adjustments: ContentAdjustments
    /// A full-size photo, a full-size video, or a full-size photo and its paired video.
    ///
    /// Their content types say what each has to be.
    package var renderings: [ResourceCreation]
    /// UUIDs of the files that the editor began with.
    ///
    /// Those that an earlier edit made are kept as what the new adjustments apply to; originals are
    /// kept anyhow.
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

/// Asks what an editor did to an asset.
package struct AdjustmentsRequest: Codable, Hashable, Sendable {
    package var assetUUID: String
    package init(assetUUID: String) { self.assetUUID = assetUUID }
}

/// What an editor did to an asset.
package struct AdjustmentsReply: Codable, Hashable, Sendable {
    /// Nil for an asset without an edit, and for an edit without readable adjustments.
    package var adjustments: ContentAdjustments?
    package init(adjustments: ContentAdjustments?) { self.adjustments = adjustments }
}
