internal import LibraryService
package import PhotoModel

/// A request about a library's synchronization with a cloud library.
///
/// The daemon of the library's owner handles it.
package struct CloudRequest: Codable, Hashable, Sendable {
    package enum Action: Codable, Hashable, Sendable {
        case create(StoreSettings, passphrase: String?, name: String)
        case join(StoreSettings, secret: CloudSecret, name: String)
        /// Begins a sync session, or requests one to follow the operation in progress.
        ///
        /// The call does not wait for the end of the session. The reply has the status at the time
        /// of the request, so that a later one with more sessions shows the end of a session.
        case sync
        /// Waits at most one second until more than `sessions` sessions have ended.
        ///
        /// The reply has fewer sessions if the daemon was restarted. Its earlier requests for
        /// sessions are then lost.
        case wait(sessions: Int)
        case status
        case devices
        /// Retires a device and begins a new epoch of keys; the passphrase is optional.
        case retire(device: String, passphrase: String?)
        /// Begins a new epoch of keys with a new passphrase and a new recovery code.
        case passphrase(String)
        /// Compares the store's content with what this device expects.
        ///
        /// If `isRepairing` is set, it repairs what the files on this computer can repair.
        case verify(percent: Int, isRepairing: Bool)
        /// Downloads the cloud-only files of the photos with the given identifiers.
        case download([String])
        /// Returns the settings for keeping space free on this computer, and the current state.
        case storage
        /// Enables the removal of originals from this computer whenever less than `keepFree` bytes
        /// are free.
        ///
        /// If `keepFree` is nil, a default is used.
        case optimize(keepFree: Int64?)
        /// Downloads all originals, and disables the removal of originals from this computer.
        case keepAll
        /// Sets whether the originals of an album's photos always stay on this computer.
        case keepAlbum(String, isKept: Bool)
        case leave(abandoning: Bool)
        /// Replaces the credentials of the bucket after checking that they work.
        case credentials(StoreCredentials)
        /// Changes the address of the cloud library's store after checking that the new address
        /// works.
        case move(StoreSettings)
    }

    /// The absolute path of the library.
    package var library: String
    package var action: Action

    package init(library: String, action: Action) {
        self.library = library
        self.action = action
    }
}

/// The secret with which a joining device decrypts the keys of a cloud library.
package enum CloudSecret: Codable, Hashable, Sendable {
    case passphrase(String)
    case recoveryCode(String)
}

/// The reply to a request about a cloud library.
package struct CloudReply: Codable, Hashable, Sendable {
    /// A device of a cloud library.
    package struct Device: Codable, Hashable, Sendable {
        package var device: String
        package var name: String
        /// The time when this computer last read new data that the device published, in seconds
        /// since 1970; nil if it never did.
        ///
        /// The data with which the device first appears in a snapshot of another one is not new.
        package var lastSeen: Double?
        package var isThisDevice: Bool
        /// Indicates whether the device has fully joined the cloud library, and may therefore rely
        /// on the uploads of other devices instead of uploading the same files.
        ///
        /// Nil for devices other than this one.
        package var isFull: Bool?
        package var isRetired: Bool

        package init(
            device: String,
            name: String,
            lastSeen: Double?,
            isThisDevice: Bool,
            isFull: Bool?,
            isRetired: Bool
        ) {
            self.device = device
            self.name = name
            self.lastSeen = lastSeen
            self.isThisDevice = isThisDevice
            self.isFull = isFull
            self.isRetired = isRetired
        }
    }

    /// A difference between the store's content and what this device expects.
    package struct Finding: Codable, Hashable, Sendable {
        package var object: String
        package var finding: String
        /// Indicates whether the difference was repaired; nil if no repair was requested.
        package var isRepaired: Bool?
        /// The reason why the difference was not repaired.
        package var reason: String?

        package init(object: String, finding: String) {
            self.object = object
            self.finding = finding
        }
    }

    /// The result of downloading the files of a photo.
    package struct Download: Codable, Hashable, Sendable {
        package enum Outcome: String, Codable, Hashable, Sendable {
            case downloaded
            /// All files of the photo were already on this computer.
            case here
            case failed
        }

        package var localIdentifier: String
        package var outcome: Outcome
        /// The error if the download failed.
        package var error: LibraryError?

        package init(localIdentifier: String, outcome: Outcome, error: LibraryError? = nil) {
            self.localIdentifier = localIdentifier
            self.outcome = outcome
            self.error = error
        }
    }

    /// The settings for keeping space free on this computer, and the current state.
    package struct Storage: Codable, Hashable, Sendable {
        /// Indicates whether originals are removed from this computer to free space.
        package var isOptimized: Bool
        /// The minimum free space to maintain, in bytes.
        package var keepFree: Int64
        /// The current free space, in bytes.
        package var free: Int64
        /// The number of files that have been removed from this computer and are only in the cloud.
        package var removedFiles: Int
        /// The identifiers of the albums whose originals always stay on this computer.
        package var keptAlbums: [String]

        package init(
            isOptimized: Bool,
            keepFree: Int64,
            free: Int64,
            removedFiles: Int,
            keptAlbums: [String]
        ) {
            self.isOptimized = isOptimized
            self.keepFree = keepFree
            self.free = free
            self.removedFiles = removedFiles
            self.keptAlbums = keptAlbums
        }
    }

    package var status: CloudStatus
    /// The state of a change of the passphrase or the recovery code.
    package struct KeyChange: Codable, Hashable, Sendable {
        /// Indicates whether the change has been published to the other devices.
        package var isPublished: Bool
        /// Indicates whether the former secrets can no longer decrypt anything in the store.
        package var areFormerRemoved: Bool

        package init(isPublished: Bool, areFormerRemoved: Bool) {
            self.isPublished = isPublished
            self.areFormerRemoved = areFormerRemoved
        }
    }

    /// The new recovery code, which must be shown to the user once; nil if none was created.
    package var recoveryCode: String?
    /// The state of a change of the passphrase or the recovery code.
    package var keyChange: KeyChange?
    /// The result of checking a store, as a sentence.
    package var probe: String?
    package var devices: [Device]?
    package var findings: [Finding]?
    /// The results of the requested downloads, one for each photo.
    package var downloads: [Download]?
    /// The settings and state of this computer's storage; nil if the request did not ask for them.
    package var storage: Storage?

    package init(_ status: CloudStatus) { self.status = status }
}

/// The state of a library's synchronization with its cloud library.
package struct CloudStatus: Codable, Hashable, Sendable {
    package enum State: String, Codable, Hashable, Sendable {
        /// The library is not part of a cloud library.
        case none
        case idle
        case syncing
        /// The last session failed, and will be retried.
        case failed
    }

    /// The work that remains for the current or the next session.
    package struct Work: Codable, Hashable, Sendable {
        /// The number of changes made on this device that no other device can read yet.
        ///
        /// During the publication of a whole library, each object that was not reached yet counts
        /// as one change.
        package var changes = 0
        package var uploads = 0
        package var downloads = 0

        package init() {}

        package var isEmpty: Bool { changes == 0 && uploads == 0 && downloads == 0 }
    }

    package var state: State
    package var cloudLibrary: String?
    package var device: String?
    package var address: String?
    /// The end time of the last successful session, in seconds since 1970.
    package var lastSync: Double?
    package var pending = Work()
    /// The number of objects that the current or the last session uploaded.
    package var uploaded = 0
    package var downloaded = 0
    /// The number of local originals that were removed to free space.
    package var removed = 0
    package var versions = 0
    /// The error of the last session; nil if there was none.
    package var error: LibraryError?
    /// Conditions that need a person's attention, as sentences.
    package var alarms: [String] = []
    /// The number of sessions that have ended.
    ///
    /// A client polls it to detect the end of a session.
    package var sessions = 0
    /// The number of photos in the library.
    package var assets: Int?

    package init(_ state: State) { self.state = state }
}

extension DaemonCalls {
    /// Performs a request about a cloud library; only the library's owner may call it.
    package static let cloud = Call<CloudRequest, CloudReply>("cloud") {
        (_, _, _) throws(LibraryError) in
        throw LibraryError(
            .invalidRequest,
            "A library has no connection to a store.",
            recovery: "Ask the daemon itself."
        )
    }
}
