package import PhotoModel

/// A file that a session has staged for its next changes.
///
/// Valid in its own session only, until a commit names it, it is released or the session ends.
package struct FileToken: Codable, Hashable, Sendable {
    /// The number of the token, which a library chooses at random.
    package var number: Int64

    package init(_ number: Int64) { self.number = number }
}

/// A request to stage a file.
package struct StageRequest: Codable, Hashable, Sendable, ResourceNaming {
    package var type: ResourceType
    package var originalFilename: String?
    package var path: String?

    package init(type: ResourceType, originalFilename: String? = nil, path: String? = nil) {
        self.type = type
        self.originalFilename = originalFilename
        self.path = path
    }

    /// Creates a request to stage the file of a resource.
    package init(for resource: ResourceCreation) {
        self.init(
            type: resource.type,
            originalFilename: resource.originalFilename,
            path: resource.path
        )
    }
}

/// The result of staging a file.
package struct StageReply: Codable, Hashable, Sendable {
    package var token: FileToken
    /// The size in bytes.
    package var size: Int64

    package init(token: FileToken, size: Int64) {
        self.token = token
        self.size = size
    }
}

/// A request to remove staged files.
package struct ReleaseTokensRequest: Codable, Hashable, Sendable {
    package var tokens: [FileToken]

    package init(tokens: [FileToken]) { self.tokens = tokens }
}

/// The names that error messages use for a client's file.
package protocol ResourceNaming {
    var type: ResourceType { get }
    var originalFilename: String? { get }
    /// The path of the file on the client's side, which is never opened.
    var path: String? { get }
}

extension LibraryError {
    /// Creates the error for a commit that refers to a file that is not staged in its session.
    package static func unknownToken(of resource: some ResourceNaming) -> LibraryError {
        LibraryError(
            .tokenUnknown,
            "The file \(resource.path ?? resource.originalFilename ?? "\(resource.type)")"
                + " is not staged.",
            reason: "Its token is of another session, was released, or a commit has used it.",
            recovery: "Stage the file again."
        )
    }
}
