import ArgumentParser
import Foundation
import PhotosManagement

/// The options for the address of a store and its credentials.
struct StoreOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The store: s3://bucket/prefix or file:///path.",
            valueName: "url"
        )
    )
    var address: String

    @Option(
        help: ArgumentHelp(
            "The URL of the S3 service.",
            discussion: "Default: that of AWS in the region.",
            valueName: "url"
        )
    )
    var endpoint: String?

    @Option(
        help: ArgumentHelp(
            "The region of the bucket.",
            discussion: "Default: $AWS_REGION, or us-east-1.",
            valueName: "name"
        )
    )
    var region: String?

    @Flag(help: "Put the bucket's name into the host's, as in bucket.s3.example.org.")
    var virtualHost = false

    @Flag(help: "Permit an endpoint without encryption on another computer.")
    var plainHttp = false

    @OptionGroup var credentials: CredentialsOptions

    func validate() throws {
        try TextPath.check(address)
        guard let url = URLComponents(string: address) else { throw Self.wrongAddress }
        switch url.scheme {
        case "file":
            guard url.host ?? "" == "", url.path.hasPrefix("/") else { throw Self.wrongAddress }
            for (option, isGiven) in [
                ("--endpoint", endpoint != nil), ("--region", region != nil),
                ("--virtual-host", virtualHost), ("--plain-http", plainHttp),
                ("--credentials-file", credentials.credentialsFile != nil),
            ] where isGiven {
                throw ValidationError("\(option) is for buckets.")
            }
        case "s3":
            guard let host = url.host, !host.isEmpty, url.query == nil else {
                throw Self.wrongAddress
            }
            if url.user != nil || url.password != nil {
                throw ValidationError(
                    "Addresses contain no credentials. Use AWS_ACCESS_KEY_ID and"
                        + " AWS_SECRET_ACCESS_KEY, or --credentials-file."
                )
            }
        default: throw Self.wrongAddress
        }
    }

    private static let wrongAddress = ValidationError(
        "The store is a URL such as s3://bucket/photos or file:///mnt/nas/Photos."
    )

    /// Returns the address of the store, with the credentials from the option or from environment
    /// variables.
    func place() throws -> CloudLibrary.Place {
        guard let url = URLComponents(string: address) else { throw Self.wrongAddress }
        if url.scheme == "file" {
            return .directory(URL(filePath: url.path, directoryHint: .isDirectory))
        }
        let environment = ProcessInfo.processInfo.environment
        var bucket = CloudLibrary.Bucket(
            name: url.host ?? "",
            prefix: url.path.split(separator: "/").joined(separator: "/"),
            endpoint: endpoint,
            region: region ?? environment["AWS_REGION"] ?? environment["AWS_DEFAULT_REGION"]
                ?? "us-east-1",
            credentials: try credentials.resolve()
        )
        bucket.usesVirtualHost = virtualHost
        bucket.allowsPlainHTTP = plainHttp
        return .bucket(bucket)
    }
}

/// The option that specifies the file from which the passphrase is read.
struct PassphraseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A file whose first line is the passphrase; - is standard input.",
            valueName: "file"
        ),
        completion: .file()
    )
    var passphraseFile: String?

    func validate() throws {
        if let passphraseFile { try TextPath.check(passphraseFile) }
    }

    /// Reads the passphrase from the given file; returns nil if the option was not given.
    func read() throws -> String? {
        guard let passphraseFile else { return nil }
        let data: Data
        do {
            // A pipe has no size, so the file is read as a stream.
            let handle =
                passphraseFile == "-"
                ? FileHandle.standardInput
                : try FileHandle(forReadingFrom: URL(filePath: passphraseFile))
            data = try handle.read(upToCount: 64 << 10) ?? Data()
        } catch {
            throw ValidationError(
                "The passphrase file \(passphraseFile) cannot be read: \(error.localizedDescription)"
            )
        }
        let text = String(decoding: data, as: UTF8.self)
        return text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    }
}
