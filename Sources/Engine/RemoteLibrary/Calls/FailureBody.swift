package import PhotoModel

/// The body of a `failure` frame, which contains the error of a call.
///
/// An unknown error code, which a later version may send, is decoded as `internalError` with the
/// original message.
package struct FailureBody: Codable, Hashable, Sendable {
    package var error: LibraryError

    package init(_ error: LibraryError) { self.error = error }

    private enum CodingKeys: CodingKey {
        case code, message, reason, recovery, path, identifiers
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let code = try container.decode(String.self, forKey: .code)
        error = LibraryError(
            LibraryError.Code(rawValue: code) ?? .internalError,
            try container.decode(String.self, forKey: .message),
            reason: try container.decodeIfPresent(String.self, forKey: .reason),
            recovery: try container.decodeIfPresent(String.self, forKey: .recovery),
            path: try container.decodeIfPresent(String.self, forKey: .path),
            identifiers: try container.decodeIfPresent([String].self, forKey: .identifiers) ?? []
        )
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(error.code.rawValue, forKey: .code)
        try container.encode(error.message, forKey: .message)
        try container.encodeIfPresent(error.reason, forKey: .reason)
        try container.encodeIfPresent(error.recovery, forKey: .recovery)
        try container.encodeIfPresent(error.path, forKey: .path)
        try container.encode(error.identifiers, forKey: .identifiers)
    }
}
