internal import PhotoModel

/// The part of a library that a client may see.
package struct LibraryAccess: Codable, Hashable, Sendable {
    /// The assets that a client may see.
    package enum Assets: Codable, Hashable, Sendable {
        case all
        case none
        /// The assets with these UUIDs, and no albums.
        case some(Set<String>)
    }

    package var assets: Assets
    /// Indicates whether hidden assets are included.
    package var includesHidden: Bool

    package init(_ assets: Assets, includesHidden: Bool) {
        self.assets = assets
        self.includesHidden = includesHidden
    }

    /// Access to everything, as the library's owner has.
    package static let full = LibraryAccess(.all, includesHidden: true)
    /// Access to everything that is not hidden.
    package static let unhidden = LibraryAccess(.all, includesHidden: false)
    /// Access to nothing.
    package static let none = LibraryAccess(.none, includesHidden: false)

    /// Returns access to the assets with these UUIDs, hidden or not, and to no albums.
    package static func limited(_ uuids: Set<String>) -> LibraryAccess {
        LibraryAccess(.some(uuids), includesHidden: true)
    }

    /// Returns whether the client may see an asset.
    package func permits(asset uuid: String, isHidden: Bool) -> Bool {
        switch assets {
        case .none: false
        case .all: includesHidden || !isHidden
        case .some(let uuids): (includesHidden || !isHidden) && uuids.contains(uuid)
        }
    }

    /// Indicates whether the client may see albums and folders.
    package var permitsCollections: Bool { assets == .all }

    /// Indicates whether the client may see nothing.
    package var isNone: Bool { assets == .none }
}
