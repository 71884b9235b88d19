internal import FoundationEssentials
package import ObjectStorage

/// The address of an S3 service: a scheme, a host and an optional port.
package struct S3Endpoint: Hashable, Sendable, CustomStringConvertible {
    package let isEncrypted: Bool
    package let host: String
    /// The port; nil for the default port of the scheme.
    package let port: Int?

    /// Parses `https://host` or `http://host:port`.
    ///
    /// - Parameters:
    ///   - text: The URL, without a path, a user or a query.
    ///   - allowsPlainHTTP: Permits HTTP to other computers. To this one it is always permitted.
    /// - Throws: ``ObjectStoreError``: `invalidConfiguration` for other text, and `insecure` for
    ///   HTTP to another computer.
    package init(_ text: String, allowsPlainHTTP: Bool = false) throws(ObjectStoreError) {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = parts.host, Self.isHost(host),
            ["", "/"].contains(parts.path), parts.user == nil, parts.password == nil,
            parts.query == nil, parts.fragment == nil, parts.port.map({ 1...65_535 ~= $0 }) ?? true
        else {
            throw .invalid(
                "The endpoint “\(ObjectStoreError.printable(text))”",
                "a URL such as https://s3.example.org, without a path"
            )
        }
        isEncrypted = scheme == "https"
        self.host = host.lowercased()
        port = parts.port == (isEncrypted ? 443 : 80) ? nil : parts.port
        guard isEncrypted || allowsPlainHTTP || Self.isLoopback(self.host) else {
            throw ObjectStoreError(
                .insecure,
                "The endpoint \(self) is not encrypted.",
                reason: "Others on the network could replay or change requests.",
                recovery: "Use https, or allow plain HTTP explicitly."
            )
        }
    }

    /// Returns the host and port as in the header `Host`, preceded by the bucket name if one is
    /// given.
    func authority(bucket: String?) -> String {
        let name = bucket.map { "\($0).\(host)" } ?? host
        return port.map { "\(name):\($0)" } ?? name
    }

    package var description: String {
        "\(isEncrypted ? "https" : "http")://\(authority(bucket: nil))"
    }

    private static func isHost(_ host: String) -> Bool {
        !host.isEmpty && host.utf8.count <= 253
            && host.utf8.allSatisfy { byte in
                ObjectKey.isAllowed(byte) || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                    || ".:[]".utf8.contains(byte)
            }
    }

    private static func isLoopback(_ host: String) -> Bool {
        if ["localhost", "[::1]", "::1"].contains(host) { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
