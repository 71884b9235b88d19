internal import CloudKeys
internal import CloudSync
internal import Foundation
internal import ObjectStorage
internal import PhotoModel
internal import RemoteLibrary

/// The management of a cloud library's devices.
extension SyncHost {
    /// Returns all devices that ever joined: first this device, then the others sorted by name.
    func devices() async throws(LibraryError) -> [CloudReply.Device] {
        try await refreshIdentity()
        let known = Set(machine.state.joined.keys).union(machine.logs.keys)
            .union(identity.members.certificates.keys)
        return known.map { device in
            let milliseconds = machine.logs[device]?.readAt ?? 0
            let isThisDevice = device == machine.device
            return CloudReply.Device(
                device: device.hexadecimal,
                name: identity.members.certificates[device]?.name
                    ?? machine.state.joined[device] ?? "",
                lastSeen: milliseconds == 0 ? nil : Double(milliseconds) / 1_000,
                isThisDevice: isThisDevice,
                isFull: isThisDevice ? machine.isFull : nil,
                isRetired: machine.state.retired.contains(device)
            )
        }.sorted {
            ($0.isThisDevice ? 0 : 1, $0.name, $0.device)
                < ($1.isThisDevice ? 0 : 1, $1.name, $1.device)
        }
    }

    /// Removes a device by retiring it and beginning an epoch whose keys it does not receive.
    ///
    /// - Returns: The new recovery code, and what became of the change.
    func retire(_ text: String, passphrase: String?) async throws(LibraryError) -> NewSecrets {
        let passphrase = try keys { () throws(CloudKeyError) in
            try passphrase.map { text throws(CloudKeyError) in try Passphrase(text) }
        }
        _ = try await session()
        return try await changeSecrets(removing: [try device(text).device], passphrase)
    }

    /// Finds a device by its name or the beginning of its identifier.
    private func device(_ text: String) throws(LibraryError) -> DeviceCertificate {
        let candidates = identity.members.members.filter {
            Self.isNamed(text, $0.device, $0.name)
        }
        guard let first = candidates.first, candidates.count == 1 else {
            if candidates.isEmpty, isRemoved(text) { throw Self.alreadyRemoved(text) }
            throw LibraryError(
                .identifierNotFound,
                candidates.isEmpty
                    ? "No device of the cloud library is called “\(text)”."
                    : "\(candidates.count) devices are called “\(text)”.",
                recovery: "photos cloud devices shows the identifiers."
            )
        }
        return first
    }

    /// Returns whether a name, or the beginning of an identifier, is that of a removed device.
    private func isRemoved(_ text: String) -> Bool {
        machine.state.retired.union(identity.members.removed).contains { device in
            let name =
                identity.members.certificates[device]?.name ?? machine.state.joined[device]
            return Self.isNamed(text, device, name)
        }
    }

    /// Returns whether a text is the name of a device, or the beginning of its identifier.
    private static func isNamed(_ text: String, _ device: CloudID, _ name: String?) -> Bool {
        device.hexadecimal.hasPrefix(text.lowercased()) || name == text
    }

    /// The error for a device that is removed already, such as by a removal that was interrupted
    /// after its keys had been stored.
    ///
    /// The session before completed it. Its recovery code was stored nowhere.
    private static func alreadyRemoved(_ text: String) -> LibraryError {
        LibraryError(
            .identifierNotFound,
            "The device “\(text)” was removed from the cloud library already.",
            reason: "It is no longer a member, also if the removal was interrupted.",
            recovery: "If no new recovery code was shown then, use photos cloud passphrase, which"
                + " shows one."
        )
    }
}
