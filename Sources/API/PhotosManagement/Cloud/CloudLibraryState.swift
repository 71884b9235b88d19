public import Foundation
internal import PhotoModel
internal import RemoteLibrary

/// The state of a library's cloud library.
public struct CloudLibraryState: Sendable, Hashable {
    /// What is going on.
    public enum Activity: String, Sendable, Hashable {
        /// The library is not part of a cloud library.
        case none
        case idle
        case syncing
        /// The last session failed; the next one tries again.
        case failed
    }

    /// What is going on.
    public var activity: Activity
    /// The random name of the cloud library; nil if there is none.
    public var cloudLibrary: String?
    /// The random name of this device.
    public var device: String?
    /// The address of the store, without credentials.
    public var address: String?
    /// The end of the last session without an error; nil since the start of the daemon.
    public var lastSync: Date?
    /// The changes made here that no other device can read yet.
    public var pendingChanges: Int
    /// The files that are being uploaded.
    public var pendingUploads: Int
    /// The files that are only in the cloud and wait for their download.
    public var pendingDownloads: Int
    /// The files that the present or the last session uploaded.
    public var uploaded: Int
    /// The files that the present or the last session downloaded.
    public var downloaded: Int
    /// The originals that the present or the last session removed to free space.
    public var removed: Int
    /// The changes of other devices that the present or the last session received.
    public var versions: Int
    /// The failure of the last session, with a reason and a recovery suggestion.
    public var failure: String?
    /// Conditions that a person has to know about.
    public var alarms: [String]
    /// The number of sessions that ended since the start of the daemon.
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

/// What became of a change of the passphrase and the recovery code of a cloud library.
public struct CloudKeyChange: Sendable, Hashable {
    /// Indicates whether the other computers can read the change; otherwise the next session
    /// publishes it.
    public var isPublished: Bool
    /// Indicates whether nothing in the store opens with the former passphrase and code any more;
    /// otherwise a later session of this computer removes their keys, unless the store does not
    /// permit that.
    public var areFormerRemoved: Bool

    init(_ change: CloudReply.KeyChange?) {
        isPublished = change?.isPublished ?? false
        areFormerRemoved = change?.areFormerRemoved ?? false
    }
}

/// A device of a cloud library.
public struct CloudDevice: Sendable, Hashable {
    /// The random name, in 32 hexadecimal digits.
    public var identifier: String
    /// The name that its user gave it.
    public var name: String
    /// The last time at which this device read something new of it; nil for never.
    public var lastSeen: Date?
    /// Indicates whether it is this device.
    public var isThisDevice: Bool
    /// Indicates whether it may rely on uploads of others; nil for other devices.
    public var isFull: Bool?
    /// Indicates whether it was removed.
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
