public import Foundation
internal import LibraryService
internal import PhotoModel
internal import Photos
internal import RemoteLibrary

/// The connection of a library to its cloud library, which syncs the same photos between several
/// computers.
///
/// The data is stored in an object store and encrypted, so the store cannot read it.
///
/// The library daemon performs all operations. If none is running, one is started that ends with
/// this object. Methods return when the operation is complete, except ``sync()``, whose progress is
/// in the state.
///
/// Thread-safe.
public final class CloudLibrary: Sendable {
    /// The location of the store.
    public enum Place: Sendable, Hashable {
        /// A directory, such as a mounted share or a disk.
        case directory(URL)
        case bucket(Bucket)
    }

    /// A location in an S3 bucket.
    public struct Bucket: Sendable, Hashable {
        /// The name of the bucket.
        public var name: String
        /// The prefix of the keys of all objects; empty for the whole bucket.
        public var prefix: String
        /// The URL of the S3 service; nil for the AWS service in the region.
        public var endpoint: String?
        /// The region of the bucket.
        public var region: String
        /// Indicates whether requests have the bucket's name in the host name instead of the path.
        public var usesVirtualHost = false
        /// Indicates whether unencrypted HTTP to other computers is permitted.
        public var allowsPlainHTTP = false
        /// The credentials for the bucket.
        public var credentials: Credentials

        /// Creates a location in a bucket.
        public init(
            name: String,
            prefix: String = "",
            endpoint: String? = nil,
            region: String = "us-east-1",
            credentials: Credentials
        ) {
            self.name = name
            self.prefix = prefix
            self.endpoint = endpoint
            self.region = region
            self.credentials = credentials
        }
    }

    /// The credentials of a bucket.
    public enum Credentials: Sendable, Hashable {
        /// Access keys, which are stored together with the encryption keys of the cloud library.
        case keys(access: String, secret: String, token: String?)
        /// A profile of an AWS credentials file, which is read before each session.
        case profile(name: String, file: URL)
    }

    /// A secret with which a joining device decrypts the encryption keys of a cloud library.
    public enum Secret: Sendable {
        case passphrase(String)
        case recoveryCode(String)
    }

    /// The path of the library.
    private let path: String
    private let daemon: CloudDaemon

    /// Connects to the running library daemon, or starts one.
    ///
    /// - Parameter library: The folder of the library, which must exist.
    /// - Throws: `PHPhotosError` if there is no library, or the daemon is not installed or refuses
    ///   this program.
    public init(of library: URL) throws {
        let path = SourcePath(library.path(percentEncoded: false)).absolute().description
        // A missing library is reported before a daemon is started.
        _ = try LibraryReport.libraryIdentifier(of: library)
        daemon = try edge { () throws(LibraryError) in try CloudDaemon(library: path) }
        self.path = path
    }

    /// Indicates whether this object started the daemon; if so, deallocating the object stops the
    /// daemon.
    ///
    /// Nothing is synced after that.
    public var isAttended: Bool { daemon.isOwn }

    /// Creates a cloud library at a location, without uploading anything yet.
    ///
    /// - Parameters:
    ///   - place: The place, which must contain no cloud library.
    ///   - passphrase: A passphrase of at least 8 characters that opens the keys beside the
    ///     recovery code; nil for none.
    ///   - name: The name of this computer for the others.
    /// - Returns: The recovery code, which is shown once and stored nowhere, and the result of the
    ///   probe of the store.
    /// - Throws: `PHPhotosError`.
    public func create(
        at place: Place,
        passphrase: String?,
        name: String
    ) throws -> (recoveryCode: String, probe: String) {
        let settings = try Self.settings(place)
        let reply = try ask(.create(settings, passphrase: passphrase, name: name))
        return (reply.recoveryCode ?? "", reply.probe ?? "")
    }

    /// Makes the library part of an existing cloud library, without syncing anything yet.
    ///
    /// - Parameters:
    ///   - place: The place of the cloud library.
    ///   - secret: The passphrase or the recovery code.
    ///   - name: The name of this computer for the others.
    /// - Throws: `PHPhotosError`, also for a wrong passphrase.
    public func join(_ place: Place, with secret: Secret, name: String) throws {
        let settings = try Self.settings(place)
        let known: CloudSecret =
            switch secret {
            case .passphrase(let text): .passphrase(text)
            case .recoveryCode(let text): .recoveryCode(text)
            }
        _ = try ask(.join(settings, secret: known, name: name))
    }

    /// Replaces the stored credentials for the bucket; a running daemon uses the new ones from its
    /// next sync session on.
    ///
    /// The new credentials are checked first: with them, the store must be readable and writable,
    /// and contain this cloud library. After an error, the previous credentials remain in use.
    ///
    /// - Parameter credentials: The new credentials.
    /// - Returns: The result of the probe of the store.
    /// - Throws: `PHPhotosError`, also if the cloud library is in a folder.
    @discardableResult
    public func replaceCredentials(_ credentials: Credentials) throws -> String {
        try ask(.credentials(Self.stored(credentials))).probe ?? ""
    }

    /// Changes the location of the cloud library's store, for example after a share was mounted at
    /// another path.
    ///
    /// Nothing is copied. The new location is checked first: it must be writable, and contain this
    /// cloud library with everything that this computer has read of it. After an error, the
    /// previous location remains in use. Other computers keep their own locations.
    ///
    /// - Parameter place: The new place, with the credentials of a bucket.
    /// - Returns: The result of the probe of the store.
    /// - Throws: `PHPhotosError`.
    @discardableResult
    public func move(to place: Place) throws -> String {
        try ask(.move(Self.settings(place))).probe ?? ""
    }

    /// Begins a sync session, or requests one to follow the operation in progress.
    ///
    /// A session that cannot be carried out counts as one that has failed, also if the library is
    /// not part of a cloud library.
    ///
    /// - Returns: The state at the time of the request. Its ``CloudLibraryState/sessionCount``
    ///   increases when a session ends.
    /// - Throws: `PHPhotosError` if the library cannot be opened.
    @discardableResult
    public func sync() throws -> CloudLibraryState {
        CloudLibraryState(try ask(.sync).status)
    }

    /// Waits at most one second for the number of ended sync sessions to exceed `sessions`, and
    /// returns the state.
    ///
    /// The sessions since the start of the daemon count, as in ``CloudLibraryState/sessionCount``.
    /// If the result has a lower count than `sessions`, the daemon was restarted meanwhile. Its
    /// earlier requests are lost then, so call ``sync()`` again.
    public func state(after sessions: Int) throws -> CloudLibraryState {
        CloudLibraryState(try ask(.wait(sessions: sessions)).status)
    }

    /// Returns the state, without connecting to the store.
    public func state() throws -> CloudLibraryState {
        CloudLibraryState(try ask(.status).status)
    }

    /// Returns the devices of the cloud library, starting with the current device.
    public func devices() throws -> [CloudDevice] {
        (try ask(.devices).devices ?? []).map(CloudDevice.init)
    }

    /// Removes a device, so that it cannot read data that is written after its removal.
    ///
    /// The device can still write to the store until the store's credentials are changed.
    ///
    /// - Parameters:
    ///   - device: The identifier of the device, the beginning of it, or its name.
    ///   - passphrase: The passphrase for the new keys; nil for none.
    /// - Returns: The new recovery code; the former one opens nothing that is written from now on.
    /// - Throws: `PHPhotosError`.
    public func retire(_ device: String, passphrase: String?) throws -> String {
        try ask(.retire(device: device, passphrase: passphrase)).recoveryCode ?? ""
    }

    /// Replaces the passphrase and the recovery code.
    ///
    /// Data that is written from now on can be opened with the new secrets only. The previous
    /// secrets open earlier data until their keys are removed from the store. They always open
    /// copies of the store that were made before that.
    ///
    /// - Parameter passphrase: The new passphrase, of at least 8 characters.
    /// - Returns: The new recovery code, which is shown once and stored nowhere, and what became of
    ///   the change.
    /// - Throws: `PHPhotosError`.
    public func changePassphrase(
        _ passphrase: String
    ) throws -> (recoveryCode: String, change: CloudKeyChange) {
        let reply = try ask(.passphrase(passphrase))
        return (reply.recoveryCode ?? "", CloudKeyChange(reply.keyChange))
    }

    /// Syncs the library, and then compares the objects in the store with this device's record of
    /// them.
    ///
    /// - Parameters:
    ///   - percent: The part of the files that is read whole, from 0 to 100.
    ///   - repairing: Whether to upload files again that are missing or damaged in the store and
    ///     whole on this computer, and to remove objects that no change names. Such an object is
    ///     removed after all other computers have synced.
    /// - Returns: The differences.
    /// - Throws: `PHPhotosError`.
    public func verify(percent: Int, repairing: Bool = false) throws -> [CloudFinding] {
        (try ask(.verify(percent: percent, isRepairing: repairing)).findings ?? [])
            .map(CloudFinding.init)
    }

    /// Downloads any files of the given photos that are only in the cloud.
    ///
    /// - Parameter identifiers: The local identifiers of the photos.
    /// - Returns: What became of each photo, in the order of the identifiers.
    /// - Throws: `PHPhotosError` if the library is not part of a cloud library.
    public func download(_ identifiers: [String]) throws -> [CloudDownload] {
        (try ask(.download(identifiers)).downloads ?? []).map(CloudDownload.init)
    }

    /// Disconnects the library from its cloud library, and removes the encryption keys from this
    /// computer.
    ///
    /// - Parameter abandoning: Whether to leave photos behind whose files are only in the cloud.
    /// - Throws: `PHPhotosError` if files are only in the cloud and `abandoning` is false.
    public func leave(abandoning: Bool = false) throws {
        _ = try ask(.leave(abandoning: abandoning))
    }

    func ask(_ action: CloudRequest.Action) throws -> CloudReply {
        try edge { () throws(LibraryError) in
            try daemon.remote.cloud(CloudRequest(library: path, action: action))
        }
    }

    private static func settings(_ place: Place) throws -> StoreSettings {
        switch place {
        case .directory(let url):
            let path = SourcePath(url.path(percentEncoded: false)).absolute().description
            return StoreSettings(address: .directory(path))
        case .bucket(let bucket):
            return StoreSettings(
                address: .bucket(
                    S3Address(
                        bucket: bucket.name,
                        prefix: bucket.prefix,
                        endpoint: bucket.endpoint
                            ?? "https://s3.\(bucket.region).amazonaws.com",
                        region: bucket.region,
                        usesVirtualHost: bucket.usesVirtualHost,
                        allowsPlainHTTP: bucket.allowsPlainHTTP
                    )
                ),
                credentials: stored(bucket.credentials)
            )
        }
    }

    private static func stored(_ credentials: Credentials) -> StoreCredentials {
        switch credentials {
        case .keys(let access, let secret, let token):
            return .keys(access: access, secret: secret, token: token)
        case .profile(let name, let file):
            let path = SourcePath(file.path(percentEncoded: false)).absolute().description
            return .profile(name: name, file: path)
        }
    }
}
