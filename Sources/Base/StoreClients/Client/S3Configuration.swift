package import ObjectStorage

/// The address and the limits of an S3 store.
package struct S3Configuration: Sendable {
    /// The place of the bucket's name in URLs.
    package enum Addressing: Hashable, Sendable {
        /// `https://host/bucket/key`, as most providers accept.
        case path
        /// `https://bucket.host/key`, as AWS requires.
        case virtualHost
    }

    package var endpoint: S3Endpoint
    package var region: String
    package var bucket: String
    /// The prefix of all keys: empty, or text that ends with a slash.
    package var prefix: String
    package var addressing: Addressing
    package var credentials: S3Credentials
    /// The path of a PEM file with the certificate authorities to trust instead of the system's.
    package var authorityFile: String?
    package var retry = RetryPolicy()
    package var clock = StoreClock.system
    /// The minimum size of an object that is uploaded in parts, in bytes.
    package var multipartThreshold: Int64 = 64 << 20
    /// The size in bytes of each part except the last; most providers require at least 5 MiB.
    package var partSize: Int64 = 16 << 20
    /// The maximum number of parts that are uploaded at the same time.
    package var partsAtOnce = 4
    /// The time limit for removing the parts of a failed upload.
    package var abortTimeout = Duration.seconds(5)
    /// The time after which a request is retried if no byte was transferred in either direction.
    package var idleTimeout: Duration = .seconds(30)
    /// The time limit for establishing a connection.
    package var connectTimeout: Duration = .seconds(10)

    /// Creates a configuration, and throws `invalidConfiguration` for invalid names.
    package init(
        endpoint: S3Endpoint,
        region: String,
        bucket: String,
        prefix: String = "",
        addressing: Addressing = .path,
        credentials: S3Credentials
    ) throws(ObjectStoreError) {
        self.endpoint = endpoint
        self.region = region
        self.bucket = bucket
        self.prefix = prefix
        self.addressing = addressing
        self.credentials = credentials
        try validate()
    }

    private func validate() throws(ObjectStoreError) {
        func isWord(_ text: some StringProtocol, _ others: String) -> Bool {
            text.utf8.allSatisfy { byte in
                ObjectKey.isAllowed(byte) || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                    || others.utf8.contains(byte)
            }
        }
        guard 3...63 ~= bucket.utf8.count, isWord(bucket, "._"), !bucket.contains("..") else {
            throw .invalid("The bucket “\(bucket)”", "3 to 63 letters, digits, dots and hyphens")
        }
        guard 1...64 ~= region.utf8.count, isWord(region, "_") else {
            throw .invalid("The region “\(region)”", "letters, digits and hyphens")
        }
        let parts = prefix.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        guard prefix.isEmpty || prefix.hasSuffix("/"), prefix.utf8.count <= 400,
            parts.allSatisfy({ !$0.isEmpty && isWord($0, "._") && $0 != "." && $0 != ".." })
        else {
            throw .invalid(
                "The prefix “\(prefix)”",
                "letters, digits, dots and hyphens, and a slash at the end"
            )
        }
        // A signature has one line for each header.
        let keys = [credentials.accessKey, credentials.secretKey, credentials.sessionToken ?? "-"]
        guard keys.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { 0x21...0x7E ~= $0 } }) else {
            throw .invalid("A key of the credentials", "visible ASCII characters")
        }
    }
}

extension ObjectStoreError {
    static func invalid(_ name: String, _ allowed: String) -> ObjectStoreError {
        ObjectStoreError(
            .invalidConfiguration,
            "\(name) is invalid.",
            recovery: "Use \(allowed)."
        )
    }
}
