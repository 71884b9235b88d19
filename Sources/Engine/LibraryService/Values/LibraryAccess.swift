internal import PhotoModel

/// What of a library a client may see.
package struct LibraryAccess: Codable, Hashable, Sendable {
    /// Which assets a client may see at all.
    package enum Assets: Codable, Hashable, Sendable {
        case all
        case none
        /// Those with these UUIDs, and no albums.
        case some(Set<String>)
    }

    package var assets: Assets
    /// Whether hidden ones are among them.
    package var includesHidden: Bool

    package init(_ assets: Assets, includesHidden: Bool) {
        self.assets = assets
        self.includesHidden = includesHidden
    }

    /// Everything: what a library's owner sees.
    package static let full = LibraryAccess(.all, includesHidden: true)
    /// Everything that is not hidden.
    package static let unhidden = LibraryAccess(.all, includesHidden: false)
    /// Nothing.
    package static let none = LibraryAccess(.none, includesHidden: false)

    /// The assets with these UUIDs, hidden or not, and no albums.
    package static func limited(_ uuids: Set<String>) -> LibraryAccess {
        LibraryAccess(.some(uuids), includesHidden: true)
    }

    /// Whether the client may see an asset.
    package func permits(asset uuid: String, isHidden: Bool) -> Bool {
        switch assets {
        case .none: false
        case .all: includesHidden || !isHidden
        case .some(let uuids): (includesHidden || !isHidden) && uuids.contains(uuid)
        }
    }

    /// Whether the client may see albums and folders.
    package var permitsCollections: Bool { assets == .all }

    /// Whether there is nothing to be seen.
    package var isNone: Bool { assets == .none }
}
