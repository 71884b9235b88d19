package import PhotoModel

/// A request to read the permission of the client's program without asking the user.
package struct AuthorizationStatusRequest: Codable, Hashable, Sendable {
    package var level: AccessLevel
    package init(level: AccessLevel) { self.level = level }
}

/// The permission of the client's program.
package struct AuthorizationStatusReply: Codable, Hashable, Sendable {
    /// The status at the requested level; `notDetermined` while the choices cannot be read.
    package var status: AccessStatus
    /// The error that requests at this level fail with; nil if at least some of them are permitted.
    package var refusal: LibraryError?
    /// The error with which requests for hidden assets fail, for a program that may see assets but
    /// no hidden ones.
    ///
    /// Nil for a program that may see hidden assets, or no assets at all.
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

/// A request for permission; the user is asked if no choice was made yet.
///
/// The request contains neither an answer nor a client: the engine's side identifies the client and
/// shows the question.
package struct AuthorizationRequest: Codable, Hashable, Sendable {
    /// The requested level; nil if permission is requested on first use of the library.
    ///
    /// For the first use, the user is asked only if nothing was chosen at any level. The question
    /// is about the level for which the program gives a reason.
    package var level: AccessLevel?
    package init(level: AccessLevel?) { self.level = level }
}

/// The result of a request for permission.
package struct AuthorizationReply: Codable, Hashable, Sendable {
    /// The status at the requested level; `denied` if the user did not answer.
    package var status: AccessStatus
    /// A message for the person who runs the program, if the user could not be asked for permission
    /// or could not select photos; otherwise nil.
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

/// The result of a change that the user made to a program's selection.
package struct SelectionChangeReply: Codable, Hashable, Sendable {
    /// The UUIDs of the assets that were added, newest first; empty if the user did not answer, and
    /// for a client whose access is not limited.
    package var added: [String]
    package init(added: [String] = []) { self.added = added }
}
