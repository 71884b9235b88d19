package import ObjectStorage

/// The location of a cloud library's objects and the way to access them.
///
/// The values are those that a user entered; `photos-cloud` validates them.
package enum StorePlace: Hashable, Codable, Sendable, CustomStringConvertible {
    case s3(S3Place)
    /// A directory, which must contain an object with the key `marker`.
    ///
    /// `marker` is nil only when a cloud library is created or joined.
    case directory(path: String, marker: ObjectKey?)

    /// The location as text for messages, without credentials.
    package var description: String {
        switch self {
        case .s3(let place): place.description
        case .directory(let path, _): path
        }
    }
}

/// A bucket of an S3 service, or the part of a bucket below a key prefix.
package struct S3Place: Hashable, Codable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The place of the bucket's name in URLs.
    package enum Addressing: String, Hashable, Codable, Sendable {
        case path
        case virtualHost
    }

    /// A URL such as `https://s3.example.org`.
    package var endpoint: String
    package var region: String
    package var bucket: String
    /// The prefix of all keys: empty, or text that ends with a slash.
    package var prefix: String
    package var addressing: Addressing
    package var credentials: S3Credentials
    /// Indicates whether unencrypted HTTP to other computers is permitted.
    package var allowsPlainHTTP: Bool
    /// The path of a PEM file with the certificate authorities to trust instead of the system's.
    package var authorityFile: String?

    package init(
        endpoint: String,
        region: String,
        bucket: String,
        prefix: String = "",
        addressing: Addressing = .path,
        credentials: S3Credentials,
        allowsPlainHTTP: Bool = false,
        authorityFile: String? = nil
    ) {
        self.endpoint = endpoint
        self.region = region
        self.bucket = bucket
        self.prefix = prefix
        self.addressing = addressing
        self.credentials = credentials
        self.allowsPlainHTTP = allowsPlainHTTP
        self.authorityFile = authorityFile
    }

    package var description: String { "s3://\(bucket)/\(prefix) at \(endpoint)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
