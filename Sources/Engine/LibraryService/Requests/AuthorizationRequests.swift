package import PhotoModel

/// A request for the permission of the client's program.
package struct AuthorizationStatusRequest: Codable, Hashable, Sendable {
    package var level: AccessLevel
    package init(level: AccessLevel) { self.level = level }
}

/// The permission of the client's program.
package struct AuthorizationStatusReply: Codable, Hashable, Sendable {
    /// The status at the requested level; `notDetermined` while the choices cannot be read.
    package var status: AccessStatus
    /// The error of requests at the level; nil if the program may make at least some of them.
    package var refusal: LibraryError?
    /// The error of requests of hidden assets by a program that sees others; nil for a program that
    /// may see hidden assets, or none at all.
    package var hiddenRefusal: LibraryError?

    package init(
        status: AccessStatus,
        refusal: LibraryError? = nil,
        hiddenRefusal: LibraryError? = nil
    ) {
        self.status = status
        self.refusal = refusal
        self.hiddenRefusal = hiddenRefusal
    }
}

/// A request for permission, about which the user is asked if no choice was made yet.
///
/// It contains neither an answer nor a client: the side of the engine knows who asks, and shows the
/// question.
package struct AuthorizationRequest: Codable, Hashable, Sendable {
    /// The level; nil for the first use of the library, of which the user is asked only if nothing
    /// was chosen at any level, and at the level for which the program gives a reason.
    package var level: AccessLevel?
    package init(level: AccessLevel?) { self.level = level }
}

/// The result of a request for permission.
package struct AuthorizationReply: Codable, Hashable, Sendable {
    /// The status at the level; `denied` if the user did not answer.
    package var status: AccessStatus
    /// The message for the person who runs the program, if the user could not be asked, or not for
    /// the photos to select.
    package var remark: String?

    package init(status: AccessStatus, remark: String? = nil) {
        self.status = status
        self.remark = remark
    }
}

/// The selection of a program with limited access.
package struct LimitedSelectionReply: Codable, Hashable, Sendable {
    /// The UUIDs of the selected assets that the client may see, sorted; nil for a client whose
    /// access is not limited.
    package var assetUUIDs: [String]?
    package init(assetUUIDs: [String]?) { self.assetUUIDs = assetUUIDs }
}

/// The result of a change of the selection by the user.
package struct SelectionChangeReply: Codable, Hashable, Sendable {
    /// The UUIDs of the assets that were added, newest first; empty if the user did not answer, and
    /// for a client whose access is not limited.
    package var added: [String]
    package init(added: [String] = []) { self.added = added }
}
