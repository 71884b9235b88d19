internal import ObjectStorage
internal import StoreClients
internal import StoreProtocol

/// Opens the store that a host names.
enum OpenedStore {
    /// The time limit for opening a directory.
    private static let limit = Duration.seconds(30)

    static func open(_ place: StorePlace) async throws(ObjectStoreError) -> any ObjectStore {
        switch place {
        case .s3(let place): try S3Store(configuration(place))
        case .directory(let path, let marker):
            try await DirectoryStore.open(path, marker: marker, timeout: limit)
        }
    }

    private static func configuration(
        _ place: S3Place
    ) throws(ObjectStoreError) -> S3Configuration {
        var configuration = try S3Configuration(
            endpoint: S3Endpoint(place.endpoint, allowsPlainHTTP: place.allowsPlainHTTP),
            region: place.region,
            bucket: place.bucket,
            prefix: place.prefix,
            addressing: place.addressing == .path ? .path : .virtualHost,
            credentials: place.credentials
        )
        configuration.authorityFile = place.authorityFile
        return configuration
    }
}
