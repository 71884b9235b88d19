package import PhotoModel

/// What a client may do with one library.
package struct ClientGrant: Hashable, Sendable {
    /// What it may see, and change where it may see everything.
    package var access: LibraryAccess
    /// Whether it may make assets.
    package var mayCreate: Bool
    /// Why it may not do more, for whom that is refused to; nil for a client that may do everything.
    package var refusal: LibraryError?
    /// Why hidden assets are kept from a client that may see others; nil where they are not.
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

    /// Everything.
    package static let everything = ClientGrant(access: LibraryAccess.full, mayCreate: true)
}
