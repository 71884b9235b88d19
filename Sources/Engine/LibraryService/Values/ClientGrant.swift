package import PhotoModel

/// The permissions of a client for one library.
package struct ClientGrant: Hashable, Sendable {
    /// The part of the library that the client may see; full access also permits all changes.
    package var access: LibraryAccess
    /// Indicates whether the client may create assets.
    package var mayCreate: Bool
    /// The error for requests beyond the permissions; nil for a client that may do everything.
    package var refusal: LibraryError?
    /// The error for requests for hidden assets by a client that may see only other assets; nil
    /// when such requests are permitted.
    package var hiddenRefusal: LibraryError?

    package init(
        access: LibraryAccess,
        mayCreate: Bool,
        refusal: LibraryError? = nil,
        hiddenRefusal: LibraryError? = nil
    ) {
        self.access = access
        self.mayCreate = mayCreate
        self.refusal = refusal
        self.hiddenRefusal = hiddenRefusal
    }

    /// This grant without access to hidden assets, for a session that excludes them.
    package var withoutHidden: ClientGrant {
        var grant = self
        grant.access.includesHidden = false
        grant.refusal = refusal ?? Self.hiddenIsLocked
        grant.hiddenRefusal = hiddenRefusal ?? Self.hiddenIsLocked
        return grant
    }

    private static let hiddenIsLocked = LibraryError(
        .accessDenied,
        "Hidden photos are locked.",
        recovery: "Unlock hidden photos first."
    )

    /// The unrestricted grant.
    package static let everything = ClientGrant(access: LibraryAccess.full, mayCreate: true)
}
