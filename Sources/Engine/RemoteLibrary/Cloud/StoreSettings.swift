/// The address of a cloud library's store.
package enum StoreAddress: Codable, Hashable, Sendable {
    /// A directory, given by its absolute path.
    case directory(String)
    case bucket(S3Address)

    /// The address as a human-readable URL.
    package var text: String {
        switch self {
        case .directory(let path): "file://" + path
        case .bucket(let address):
            "s3://" + address.bucket + (address.prefix.isEmpty ? "" : "/" + address.prefix)
        }
    }
}

/// The address of a cloud library in an S3 bucket.
package struct S3Address: Codable, Hashable, Sendable {
    package var bucket: String
    /// The common prefix of all object keys, without a trailing slash; empty to use the whole
    /// bucket.
    package var prefix: String
    /// The URL of the S3 service.
    package var endpoint: String
    package var region: String
    /// Indicates whether requests are virtual-hosted, with the bucket's name in the host name, as
    /// AWS requires.
    package var usesVirtualHost: Bool
    /// Indicates whether plain HTTP to other computers is permitted.
    package var allowsPlainHTTP: Bool

    package init(
        bucket: String,
        prefix: String = "",
        endpoint: String,
        region: String,
        usesVirtualHost: Bool = false,
        allowsPlainHTTP: Bool = false
    ) {
        self.bucket = bucket
        self.prefix = prefix
        self.endpoint = endpoint
        self.region = region
        self.usesVirtualHost = usesVirtualHost
        self.allowsPlainHTTP = allowsPlainHTTP
    }
}

/// The credentials of a bucket, or the place from which they are read before each session.
package enum StoreCredentials: Codable, Hashable, Sendable {
    case keys(access: String, secret: String, token: String?)
    /// A named profile in the AWS credentials file at an absolute path.
    case profile(name: String, file: String)
}

/// The address and credentials with which a device accesses the store.
///
/// They are stored with the keys, outside of the library.
package struct StoreSettings: Codable, Hashable, Sendable {
    package var address: StoreAddress
    /// The credentials; nil for a directory.
    package var credentials: StoreCredentials?

    package init(address: StoreAddress, credentials: StoreCredentials? = nil) {
        self.address = address
        self.credentials = credentials
    }
}
