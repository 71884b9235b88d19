public import Foundation
internal import PhotoModel
internal import RemoteLibrary

/// The state of syncing a library with its cloud library.
public struct CloudLibraryState: Sendable, Hashable {
    /// The current activity.
    public enum Activity: String, Sendable, Hashable {
        /// The library is not part of a cloud library.
        case none
        case idle
        case syncing
        /// The last sync session failed; the next one tries again.
        case failed
    }

    /// The current activity.
    public var activity: Activity
    /// The random identifier of the cloud library; nil if there is none.
    public var cloudLibrary: String?
    /// The random identifier of this device.
    public var device: String?
    /// The address of the store, without credentials.
    public var address: String?
    /// The time when the last successful session ended; nil if there was none since the daemon
    /// started.
    public var lastSync: Date?
    /// The number of this device's changes that other devices cannot read yet.
    ///
    /// While a whole library is published, each object that was not reached yet counts as one
    /// change.
    public var pendingChanges: Int
    /// The number of files whose upload has begun and is not confirmed.
    public var pendingUploads: Int
    /// The number of files that are only in the cloud and will be downloaded.
    public var pendingDownloads: Int
    /// The number of files uploaded in the current or most recent session.
    public var uploaded: Int
    /// The number of files downloaded in the current or most recent session.
    public var downloaded: Int
    /// The number of originals removed to free space in the current or most recent session.
    public var removed: Int
    /// The number of other devices' changes applied in the current or most recent session.
    public var versions: Int
    /// The failure of the last session, with a reason and a recovery suggestion.
    public var failure: String?
    /// Conditions that the user must be informed of, in one sentence each.
    public var alarms: [String]
    /// The number of sync sessions that have ended since the daemon started.
    public var sessionCount: Int

    init(_ status: CloudStatus) {
        activity = Activity(rawValue: status.state.rawValue) ?? .none
        cloudLibrary = status.cloudLibrary
        device = status.device
        address = status.address
        lastSync = status.lastSync.map { Date(timeIntervalSince1970: $0) }
        pendingChanges = status.pending.changes
        pendingUploads = status.pending.uploads
        pendingDownloads = status.pending.downloads
        uploaded = status.uploaded
        downloaded = status.downloaded
        removed = status.removed
        versions = status.versions
        failure = status.error?.description
        alarms = status.alarms
        sessionCount = status.sessions
    }
}

/// The result of changing the passphrase and the recovery code of a cloud library.
public struct CloudKeyChange: Sendable, Hashable {
    /// Indicates whether the other computers can already read the change.
    ///
    /// Otherwise the next session publishes it.
    public var isPublished: Bool
    /// Indicates whether the keys for the previous passphrase and recovery code were removed from
    /// the store.
    ///
    /// Otherwise a later session of this computer removes them, unless the store does not permit
    /// it.
    public var areFormerRemoved: Bool

    init(_ change: CloudReply.KeyChange?) {
        isPublished = change?.isPublished ?? false
        areFormerRemoved = change?.areFormerRemoved ?? false
    }
}

/// A device of a cloud library.
public struct CloudDevice: Sendable, Hashable {
    /// The random identifier of the device, as 32 hexadecimal digits.
    public var identifier: String
    /// The name that the user gave the device.
    public var name: String
    /// The time when the current device last read new data from the described device; nil if it
    /// never did.
    ///
    /// The data with which a device first appears, if it comes from another device, is not new.
    public var lastSeen: Date?
    /// Indicates whether the described device is the current device.
    public var isThisDevice: Bool
    /// Indicates whether the current device has fully joined the cloud library, so that it need not
    /// upload files that other devices have already uploaded.
    ///
    /// The value is nil if the described device is not the current device.
    public var isFull: Bool?
    /// Indicates whether the device was removed from the cloud library.
    public var isRetired: Bool

    init(_ device: CloudReply.Device) {
        identifier = device.device
        name = device.name
        lastSeen = device.lastSeen.map { Date(timeIntervalSince1970: $0) }
        isThisDevice = device.isThisDevice
        isFull = device.isFull
        isRetired = device.isRetired
    }
}
