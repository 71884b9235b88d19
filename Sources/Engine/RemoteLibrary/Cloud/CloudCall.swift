internal import LibraryService
package import PhotoModel

/// A request about the cloud library of a library, which its owner's daemon answers.
package struct CloudRequest: Codable, Hashable, Sendable {
    package enum Action: Codable, Hashable, Sendable {
        case create(StoreSettings, passphrase: String?, name: String)
        case join(StoreSettings, secret: CloudSecret, name: String)
        /// Begins a session unless one is in progress; its end is seen in the status.
        case sync
        /// Waits until more sessions have ended than a number, at most for a second.
        case wait(sessions: Int)
        case status
        case devices
        /// Retires a device and begins a new epoch, for which a passphrase is optional.
        case retire(device: String, passphrase: String?)
        /// Begins a new epoch with a new passphrase and a new recovery code.
        case passphrase(String)
        /// Compares the store with what is known of it; repairs what files here can repair.
        case verify(percent: Int, isRepairing: Bool)
        /// Downloads the files of photos that are only in the cloud.
        case download([String])
        /// Returns how space is kept free.
        case storage
        /// Removes originals from now on, so that space stays free; nil for the default space.
        case optimize(keepFree: Int64?)
        /// Downloads all originals again, and removes none from now on.
        case keepAll
        /// Sets whether the originals of an album's photos stay on this computer.
        case keepAlbum(String, isKept: Bool)
        case leave(abandoning: Bool)
        /// Replaces the credentials of the bucket after they were checked.
        case credentials(StoreCredentials)
        /// Uses the same cloud library at another place after the place was checked.
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

/// What opens the keys of a cloud library for a device that joins.
package enum CloudSecret: Codable, Hashable, Sendable {
    case passphrase(String)
    case recoveryCode(String)
}

/// The answer to a request.
package struct CloudReply: Codable, Hashable, Sendable {
    /// A device of a cloud library.
    package struct Device: Codable, Hashable, Sendable {
        package var device: String
        package var name: String
        /// The time of its last change that was read, in seconds since 1970; nil if there is none.
        package var lastSeen: Double?
        package var isThisDevice: Bool
        /// Indicates whether it may rely on the uploads of others; nil for other devices.
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

    /// A difference between the store and what this device knows of it.
    package struct Finding: Codable, Hashable, Sendable {
        package var object: String
        package var finding: String
        /// Indicates whether it was repaired; nil if nobody asked for that.
        package var isRepaired: Bool?
        /// The reason why it was not repaired.
        package var reason: String?

        package init(object: String, finding: String) {
            self.object = object
            self.finding = finding
        }
    }

    /// What became of the files of a photo.
    package struct Download: Codable, Hashable, Sendable {
        package enum Outcome: String, Codable, Hashable, Sendable {
            case downloaded
            /// All files were here.
            case here
            case failed
        }

        package var localIdentifier: String
        package var outcome: Outcome
        /// The reason of a failure.
        package var error: LibraryError?

        package init(localIdentifier: String, outcome: Outcome, error: LibraryError? = nil) {
            self.localIdentifier = localIdentifier
            self.outcome = outcome
            self.error = error
        }
    }

    /// How space is kept free on the computer.
    package struct Storage: Codable, Hashable, Sendable {
        /// Indicates whether originals are removed.
        package var isOptimized: Bool
        /// The space that is kept free, in bytes.
        package var keepFree: Int64
        /// The space that is free, in bytes.
        package var free: Int64
        /// The number of files that were removed.
        package var removedFiles: Int
        /// The identifiers of the albums whose originals stay.
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
    /// What became of a change of the passphrase and the recovery code.
    package struct KeyChange: Codable, Hashable, Sendable {
        /// Indicates whether the other devices can read the change already.
        package var isPublished: Bool
        /// Indicates whether nothing in the store opens with the former secrets.
        package var areFormerRemoved: Bool

        package init(isPublished: Bool, areFormerRemoved: Bool) {
            self.isPublished = isPublished
            self.areFormerRemoved = areFormerRemoved
        }
    }

    /// The recovery code, which is shown once; nil if no new one was made.
    package var recoveryCode: String?
    /// The state of a change of the passphrase or the recovery code.
    package var keyChange: KeyChange?
    /// The result of the probe of a store, as a sentence.
    package var probe: String?
    package var devices: [Device]?
    package var findings: [Finding]?
    /// What became of each photo that was to be downloaded.
    package var downloads: [Download]?
    /// How space is kept free; nil if the request was not about it.
    package var storage: Storage?

    package init(_ status: CloudStatus) { self.status = status }
}

/// The state of a library's cloud library.
package struct CloudStatus: Codable, Hashable, Sendable {
    package enum State: String, Codable, Hashable, Sendable {
        /// The library is not part of a cloud library.
        case none
        case idle
        case syncing
        /// The last session failed; the next one tries again.
        case failed
    }

    /// The work that the last session left, or that the present one has not done yet.
    package struct Work: Codable, Hashable, Sendable {
        /// The changes made here that no other device can read yet.
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
    /// The end of the last session without an error, in seconds since 1970.
    package var lastSync: Double?
    package var pending = Work()
    /// What the present or the last session did.
    package var uploaded = 0
    package var downloaded = 0
    /// The number of originals that were removed to free space.
    package var removed = 0
    package var versions = 0
    /// The error of the last session.
    package var error: LibraryError?
    /// Conditions that a person has to know about, as sentences.
    package var alarms: [String] = []
    /// The number of sessions that have ended, by which a client notices the end of one.
    package var sessions = 0
    /// The number of photos of the library.
    package var assets: Int?

    package init(_ state: State) { self.state = state }
}

extension DaemonCalls {
    /// Answers a request about a cloud library, to the owner of the libraries only.
    package static let cloud = Call<CloudRequest, CloudReply>("cloud") {
        (_, _, _) throws(LibraryError) in
        throw LibraryError(
            .invalidRequest,
            "A library has no connection to a store.",
            recovery: "Ask the daemon itself."
        )
    }
}
