/// The place of a cloud library's store.
package enum StoreAddress: Codable, Hashable, Sendable {
    /// A directory, by its absolute path.
    case directory(String)
    case bucket(S3Address)

    /// The URL as a person writes it.
    package var text: String {
        switch self {
        case .directory(let path): "file://" + path
        case .bucket(let address):
            "s3://" + address.bucket + (address.prefix.isEmpty ? "" : "/" + address.prefix)
        }
    }
}

/// The place of a cloud library in a bucket.
package struct S3Address: Codable, Hashable, Sendable {
    package var bucket: String
    /// The beginning of all keys, without a slash at its end; empty for the whole bucket.
    package var prefix: String
    /// The URL of the service.
    package var endpoint: String
    package var region: String
    /// Indicates whether the bucket's name is a part of the host's, as AWS asks for.
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

/// The credentials of a bucket, or where they are read before each session.
package enum StoreCredentials: Codable, Hashable, Sendable {
    case keys(access: String, secret: String, token: String?)
    /// A profile of an AWS credentials file, by the file's absolute path.
    case profile(name: String, file: String)
}

/// What a device needs to reach the store; it is kept with the keys, outside of the library.
package struct StoreSettings: Codable, Hashable, Sendable {
    package var address: StoreAddress
    /// The credentials; nil for a directory.
    package var credentials: StoreCredentials?

    package init(address: StoreAddress, credentials: StoreCredentials? = nil) {
        self.address = address
        self.credentials = credentials
    }
}
