internal import CloudKeys
internal import CloudSync
internal import EmbeddedLibrary
internal import Foundation
internal import ObjectStorage
internal import PhotoLibrary
internal import PhotoModel

/// A key object of the store, with what this device found in it.
struct KnownKeys: Sendable {
    var object: KeyObject
    /// The epochs whose keys the object contains; empty if this device could not verify or decrypt
    /// the object.
    var epochs: Set<CloudID> = []
}

/// The keys of this device, the certificates that it accepts, and its record of the store's newest
/// known state.
struct CloudIdentity: Sendable {
    var secrets: DeviceSecrets
    var members: MemberDirectory
    var seen: SeenState
    /// Indicates whether a member removed this device from the cloud library.
    ///
    /// A removed device does not receive the keys of later epochs.
    private(set) var isRemoved = false
    /// The key objects that were read and verified, by name.
    private(set) var keyObjects: [CloudID: KnownKeys] = [:]
    /// The key objects of this cloud library that the last `refresh(from:)` did not accept, by
    /// name.
    ///
    /// Only those that a removed device signed while it was a member have epochs.
    private(set) var refusedKeys: [CloudID: KnownKeys] = [:]
    /// Indicates whether the last `refresh(from:)` found key objects that cannot be decoded.
    private(set) var hasUndecodableKeys = false

    private let library: UUID
    private let store: any SecretStore

    /// Creates the identity of a device that was just admitted.
    init(
        _ secrets: DeviceSecrets,
        members: MemberDirectory,
        of library: UUID,
        in store: any SecretStore
    ) {
        self.secrets = secrets
        self.members = members
        self.library = library
        self.store = store
        seen = SeenState()
    }

    /// Reads this device's identity for a library; returns nil if the keys are not on this
    /// computer.
    ///
    /// The certificates are not stored here and have to be read from the store.
    init?(of library: UUID, in store: any SecretStore) throws(LibraryError) {
        let (keys, seen) = try CloudHost.keys { () throws(CloudKeyError) in
            (
                try store.read(.keys, of: library).map { bytes throws(CloudKeyError) in
                    try DeviceSecrets(decoding: bytes)
                },
                try store.read(.seen, of: library).map { bytes throws(CloudKeyError) in
                    try SeenState(decoding: bytes)
                }
            )
        }
        guard let keys else { return nil }
        secrets = keys
        self.seen = seen ?? SeenState()
        self.library = library
        self.store = store
        members = MemberDirectory(library: keys.keyring.library, root: keys.root)
        members.accept(self.seen.members)
        for device in self.seen.removed { members.remove(device) }
    }

    /// Reads the identity and the settings of a library that is part of a cloud library.
    ///
    /// - Throws: `changeNotSupported` if it is in none, `noPermission` if its keys are not here.
    static func stored(
        of engine: LibraryEngine,
        in store: any SecretStore
    ) throws(LibraryError) -> (identity: CloudIdentity, settings: StoredSettings.Value) {
        let library = try engine.libraryIdentifier()
        guard let membership = try engine.cloudMembership() else {
            throw LibraryError(
                .changeNotSupported,
                "The library is not part of a cloud library.",
                recovery: "Use photos cloud create or photos cloud join."
            )
        }
        guard let identity = try CloudIdentity(of: library, in: store),
            identity.secrets.keyring.library.hexadecimal == membership.library,
            let settings = try StoredSettings(of: library, in: store).read()
        else {
            throw LibraryError(
                .noPermission,
                "The keys of the cloud library are not on this computer.",
                reason: "The library was copied or restored without them.",
                recovery: "Use photos cloud leave, and join it again with the passphrase or the"
                    + " recovery code."
            )
        }
        return (identity, settings)
    }

    var signer: KeyObject.Signer { KeyObject.Signer(device: secrets.device, keys: secrets.keys) }

    var sealer: SegmentSealer { SegmentSealer(keyring: secrets.keyring, keys: secrets.keys) }

    var opener: SegmentOpener { SegmentOpener(keyring: secrets.keyring, members: members) }

    /// Checks that this device has not been removed.
    ///
    /// - Throws: `accessDenied` if one did.
    func checkMembership() throws(LibraryError) {
        guard !isRemoved else {
            throw LibraryError(
                .accessDenied,
                "This computer was removed from the cloud library.",
                reason: "What is written there since cannot be read here.",
                recovery: "Use photos cloud leave; then it can be joined again with the new"
                    + " passphrase or recovery code."
            )
        }
    }

    /// Saves this device's keys durably.
    func save() throws(LibraryError) {
        try CloudHost.keys { () throws(CloudKeyError) in
            try store.write(secrets.encoded, to: .keys, of: library)
        }
    }

    /// Saves the record of the newest store state that this device has seen.
    func saveSeen() throws(LibraryError) {
        try CloudHost.keys { () throws(CloudKeyError) in
            try store.write(seen.encoded, to: .seen, of: library)
        }
    }

    /// Returns an error if a listing of all logs lacks segments that this device has seen.
    ///
    /// - Parameters:
    ///   - names: The objects that were listed.
    ///   - devices: The names of devices.
    /// - Returns: The error that names what is missing; nil if nothing is.
    func loss(in names: [ObjectName], devices: [CloudID: String]) -> LibraryError? {
        var logs: [CloudID: Set<LogPosition>] = [:]
        for case .segment(let device, let position) in names {
            logs[device, default: []].insert(position)
        }
        let found = SeenState.Found(logs: logs, members: seen.members, epochs: seen.epochs)
        guard let loss = seen.losses(in: found).first else { return nil }
        var reason = "An object that was seen before is missing."
        if case .log(let device, let position) = loss {
            let name = devices[device] ?? device.hexadecimal
            reason = "Change \(position.sequence) of the device “\(name)” is missing."
        }
        return LibraryError(
            .networkError,
            "The store is older than what this device has seen of it.",
            reason: reason,
            recovery: "Bring its present content back. Nothing was merged or written."
        )
    }

    // MARK: - Reading the store

    /// Reads the key objects and certificates that are in the store but not yet known to this
    /// device.
    ///
    /// - Returns: The objects that are not accepted, with the reasons.
    mutating func refresh(from objects: CloudObjectReader) async throws(LibraryError) -> [String] {
        // A certificate may need the keys of a later epoch, and a key object a certificate.
        var problems = try await readMembers(objects)
        let (found, undecodable) = try await objects.keyObjects(
            except: Set(keyObjects.keys)
        )
        var refused: [(object: KeyObject, problem: String)] = []
        let keyring = secrets.keyring
        for object in found {
            do throws(CloudKeyError) {
                try object.verify(with: members)
                members.accept(object.listed)
                for device in object.removed { members.remove(device) }
                keyObjects[object.name] = KnownKeys(object: object)
                if object.removed.contains(secrets.device) { isRemoved = true }
                let ring = try open(object)
                for key in ring.all { try secrets.keyring.insert(key) }
                keyObjects[object.name]?.epochs = Set(ring.all.map(\.id))
            } catch  where [.noWrap, .unknownEpoch].contains(error.code) {
                // This device was removed.
                continue
            } catch {
                refused.append((object, error.message))
            }
        }
        if !members.removed.isSubset(of: seen.removed) {
            // Before the keys, so that a process that has them knows the devices that must not
            // get them.
            seen.remove(members.removed)
            try saveSeen()
        }
        if !found.isEmpty {
            // The first session of a process reads all objects again, and most have no new keys.
            if secrets.keyring != keyring { try save() }
            problems = try await readMembers(objects)
        }
        hasUndecodableKeys = !undecodable.isEmpty
        problems += undecodable + note(refused)
        seen.advance(
            to: SeenState.Found(
                logs: [:],
                members: members.certificates.mapValues(\.fingerprint),
                epochs: []
            )
        )
        return problems
    }

    /// Records the key objects that are not accepted.
    ///
    /// - Returns: Their problems. That its signer was removed later is no problem of an object.
    private mutating func note(_ refused: [(object: KeyObject, problem: String)]) -> [String] {
        refusedKeys = [:]
        var problems: [String] = []
        for (object, problem) in refused {
            let epochs = epochs(inObjectOfRemovedDevice: object)
            if epochs.isEmpty { problems.append(problem) }
            // The secrets of this cloud library open none of another one. One that was verified and
            // could not be decrypted is known already.
            guard object.belongs(to: members), keyObjects[object.name] == nil else { continue }
            refusedKeys[object.name] = KnownKeys(object: object, epochs: epochs)
        }
        return problems
    }

    /// Returns the epochs whose keys an object of a removed device contains.
    ///
    /// The result is empty if no removed device signed the object, or if this device does not have
    /// the key of the object's epoch. A removed device does not get the keys of later epochs.
    private func epochs(inObjectOfRemovedDevice object: KeyObject) -> Set<CloudID> {
        guard members.removed.contains(object.signer) else { return [] }
        do throws(CloudKeyError) {
            try object.verifySignature(with: members)
            return Set(try object.open(with: secrets.keyring).all.map(\.id))
        } catch {
            return []
        }
    }

    /// Decrypts a key object with this device's key pair, or else with a known key of the object's
    /// epoch.
    ///
    /// An object that was written before this device joined is not encrypted for it.
    private func open(_ object: KeyObject) throws(CloudKeyError) -> EpochKeyring {
        do throws(CloudKeyError) {
            return try object.open(as: secrets.device, keys: secrets.keys, members: members)
        } catch  where error.code == .noWrap {
            return try object.open(with: secrets.keyring)
        }
    }

    /// Forgets a key object that was removed from the store.
    mutating func forgetKeys(_ name: CloudID) {
        keyObjects[name] = nil
        refusedKeys[name] = nil
    }

    private mutating func readMembers(
        _ objects: CloudObjectReader
    ) async throws(LibraryError) -> [String] {
        var candidates: [DeviceCertificate] = []
        var problems: [String] = []
        for (device, bytes) in try await objects.certificates(
            except: Set(members.certificates.keys)
        ) {
            do throws(CloudKeyError) {
                candidates.append(
                    try DeviceCertificate(opening: bytes, of: device, keys: secrets.keyring)
                )
            } catch {
                problems.append(error.message)
            }
        }
        let refused = members.admitAll(candidates, keys: secrets.keyring)
        return problems + refused.map(\.error.message)
    }
}
