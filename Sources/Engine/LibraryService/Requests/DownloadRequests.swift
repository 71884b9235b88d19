/// A request to download the files that another request needs, if they are only in the cloud.
package struct DownloadRequest: CancellableRequest, Codable, Hashable {
    /// A file of an asset.
    package enum File: Codable, Hashable, Sendable {
        /// The file of the resource with this UUID.
        case resource(String)
        /// The file that `imageData` opens.
        case image(assetUUID: String, version: ImageRequest.Version)
        /// The file that `movieData` opens.
        case movie(assetUUID: String, version: ImageRequest.Version)
        /// The file that `adjustments` reads; none if the asset is not edited.
        case adjustments(assetUUID: String)
    }

    package var files: [File]
    package var ticket: CallTicket?

    package init(_ files: [File], ticket: CallTicket? = nil) {
        self.files = files
        self.ticket = ticket
    }
}

/// A request for the locations of assets' files: on this computer, or only in the cloud.
package struct CloudStatesRequest: Codable, Hashable, Sendable {
    package var assetUUIDs: [String]
    package init(assetUUIDs: [String]) { self.assetUUIDs = assetUUIDs }
}

/// The locations of assets' files, in the order of the request.
package struct CloudStatesReply: Codable, Hashable, Sendable {
    /// Indicates whether the library is part of a cloud library; otherwise all files are on this
    /// computer.
    package var isCloudLibrary: Bool
    /// The locations; nil for an asset that does not exist.
    package var states: [CloudState?]

    package init(isCloudLibrary: Bool, states: [CloudState?]) {
        self.isCloudLibrary = isCloudLibrary
        self.states = states
    }
}

/// The location of an asset's files.
package enum CloudState: String, Codable, Hashable, Sendable, CaseIterable {
    /// All files are on this computer.
    case here
    /// The original is on this computer, and at least one other file is only in the cloud.
    case partial
    /// The original is only in the cloud.
    case away
}
