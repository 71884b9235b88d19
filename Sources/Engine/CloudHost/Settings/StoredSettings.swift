internal import CloudKeys
internal import Foundation
internal import ObjectStorage
internal import PhotoModel
internal import RemoteLibrary

/// The settings and credentials of a library's store, which are saved beside the library's keys.
struct StoredSettings {
    struct Value: Codable {
        var store: StoreSettings
        /// Indicates whether the probe found that objects must not be deleted.
        var isBackupOnly: Bool
        /// The name of this device as other devices show it.
        var name: String
        /// The path at which the daemon opens the library.
        var library: String
        /// The configuration of the cloud library, by which its store is recognized; nil until it
        /// is known.
        var marker: ObjectKey?
    }

    private let library: UUID
    private let store: any SecretStore

    init(of library: UUID, in store: any SecretStore) {
        self.library = library
        self.store = store
    }

    /// Returns the settings; nil if no settings are stored.
    func read() throws(LibraryError) -> Value? {
        let bytes = try keys { () throws(CloudKeyError) in
            try store.read(.credentials, of: library)
        }
        guard let bytes else { return nil }
        do {
            return try JSONDecoder().decode(Value.self, from: Data(bytes))
        } catch {
            throw LibraryError(
                .corrupt,
                "The settings of the cloud library cannot be read.",
                reason: "\(error)",
                recovery: "Use photos cloud leave, and join it again."
            )
        }
    }

    func write(_ settings: Value) throws(LibraryError) {
        let data: Data
        do {
            data = try JSONEncoder().encode(settings)
        } catch {
            throw LibraryError(
                .internalError,
                "The settings cannot be encoded.",
                reason: "\(error)"
            )
        }
        try keys { () throws(CloudKeyError) in
            try store.write(Array(data), to: .credentials, of: library)
        }
    }
}
