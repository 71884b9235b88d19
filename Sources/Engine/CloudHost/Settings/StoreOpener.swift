internal import CloudStoreClient
internal import Foundation
internal import ObjectStorage
internal import PhotoModel
internal import RemoteLibrary
internal import StoreProtocol

/// An opener for the stores of cloud libraries.
package struct StoreOpener: Sendable {
    /// Opens a store, which the caller must close.
    ///
    /// The second argument is an object that a folder must contain whenever a process opens it, so
    /// that nothing is written below an empty mount point.
    let open: @Sendable (StoreSettings, ObjectKey?) throws(LibraryError) -> any ObjectStore

    init(
        _ body:
            @escaping @Sendable (StoreSettings, ObjectKey?) throws(LibraryError) ->
            any ObjectStore
    ) {
        self.open = body
    }

    /// An opener that accesses stores through a separate process, the only one with network access.
    package static let process = StoreOpener { settings, marker throws(LibraryError) in
        ProcessStore(try settings.place(marker: marker))
    }
}

extension StoreSettings {
    /// Returns the location of the store, with credentials that are read during the call.
    ///
    /// `marker` is an object that must exist in a directory; nil where it is not known yet, such as
    /// when a cloud library is created.
    fileprivate func place(marker: ObjectKey?) throws(LibraryError) -> StorePlace {
        switch address {
        case .directory(let path): return .directory(path: path, marker: marker)
        case .bucket(let address):
            guard let credentials else { throw Self.noCredentials }
            let keys = try credentials.read()
            return .s3(
                S3Place(
                    endpoint: address.endpoint,
                    region: address.region,
                    bucket: address.bucket,
                    prefix: address.prefix.isEmpty ? "" : address.prefix + "/",
                    addressing: address.usesVirtualHost ? .virtualHost : .path,
                    credentials: keys,
                    allowsPlainHTTP: address.allowsPlainHTTP
                )
            )
        }
    }
}

extension StoreSettings {
    private static let noCredentials = LibraryError(
        .invalidRequest,
        "There are no credentials for the bucket.",
        recovery: "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or use"
            + " --credentials-file."
    )
}

extension StoreCredentials {
    fileprivate func read() throws(LibraryError) -> S3Credentials {
        switch self {
        case .keys(let access, let secret, let token):
            return S3Credentials(accessKey: access, secretKey: secret, sessionToken: token)
        case .profile(let name, let file):
            return try CredentialsFile(path: file).credentials(of: name)
        }
    }
}
