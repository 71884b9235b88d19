internal import PhotoModel

/// What of a library a client may see.
package enum LibraryAccess: Codable, Hashable, Sendable {
    case full
    case none
    /// The assets with these UUIDs, and no albums.
    case limited(Set<String>)

    /// Whether the client may see an asset.
    package func permits(asset uuid: String) -> Bool {
        switch self {
        case .full: true
        case .none: false
        case .limited(let uuids): uuids.contains(uuid)
        }
    }

    /// Whether the client may see albums and folders.
    package var permitsCollections: Bool { self == .full }
}
