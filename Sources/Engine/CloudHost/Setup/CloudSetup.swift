internal import CloudKeys
internal import CloudSync
internal import EmbeddedLibrary
internal import Foundation
internal import LibraryService
internal import ObjectStorage
internal import PhotoLibrary
internal import PhotoModel
internal import RemoteLibrary

/// The setup of a library as a new cloud library or as a member of an existing cloud library.
///
/// The keys are durable before anything is stored, and the library is marked as part of the cloud
/// library last. So after a failure the library is unchanged, and the store contains at most some
/// unused objects. A cancellation has no effect once the setup writes more than the probe.
struct CloudSetup {
    let engine: LibraryEngine
    let library: UUID
    /// The path of the library.
    let path: String
    let secrets: any SecretStore
    let opener: StoreOpener

    struct Outcome {
        var cloudLibrary: CloudID
        var device: CloudID
        var recoveryCode: RecoveryCode?
        var probe: ProbeResult
    }

    // MARK: - Creating

    func create(
        _ settings: StoreSettings,
        passphrase: Passphrase?,
        name: String
    ) async throws(LibraryError) -> Outcome {
        try checkMembership()
        let store = try opener.open(settings, nil)
        let objects = CloudObjectReader(store)
        do throws(LibraryError) {
            guard try await objects.names(in: "config").isEmpty else {
                throw LibraryError(
                    .alreadyExists,
                    "There is a cloud library at \(settings.address.text) already.",
                    recovery: "Use photos cloud join, or another prefix or folder."
                )
            }
            let probe = try await opener.probe(store, settings, marker: nil)
            let outcome = try await create(settings, passphrase, name, objects, probe)
            await store.close()
            return outcome
        } catch {
            await store.close()
            throw error
        }
    }

    private func create(
        _ settings: StoreSettings,
        _ passphrase: Passphrase?,
        _ name: String,
        _ objects: CloudObjectReader,
        _ probe: ProbeResult
    ) async throws(LibraryError) -> Outcome {
        var generator = SystemRandomNumberGenerator()
        let cloudLibrary = CloudID(using: &generator)
        let device = CloudID(using: &generator)
        let keyring = EpochKeyring(EpochKey(library: cloudLibrary, using: &generator))
        let code = RecoveryCode(using: &generator)
        var members: MemberDirectory
        let certificate: DeviceCertificate
        let keyObject: KeyObject
        let configuration: LibraryConfiguration
        let deviceKeys: DeviceKeys
        do throws(CloudKeyError) {
            deviceKeys = try DeviceKeys(using: &generator)
            certificate = try DeviceCertificate(
                library: cloudLibrary,
                device: device,
                name: name,
                keys: deviceKeys,
                admission: .itself
            )
            members = MemberDirectory(library: cloudLibrary, root: certificate.fingerprint)
            try members.admit(certificate, keys: keyring)
            keyObject = try KeyObject(
                of: keyring,
                root: members.root,
                for: KeyObject.Recipients(
                    members: [certificate],
                    passphrase: passphrase,
                    recoveryCode: code
                ),
                signer: KeyObject.Signer(device: device, keys: deviceKeys),
                using: &generator
            )
            configuration = try LibraryConfiguration(
                name: CloudID(using: &generator),
                library: cloudLibrary,
                time: Self.now,
                probe: Array(probe.summary.utf8),
                signer: device,
                keys: deviceKeys
            )
        } catch {
            throw LibraryError(error)
        }
        let identity = CloudIdentity(
            DeviceSecrets(
                device: device,
                keys: deviceKeys,
                keyring: keyring,
                root: members.root
            ),
            members: members,
            of: library,
            in: secrets
        )
        try await Self.complete { () throws(LibraryError) in
            try save(identity, settings, probe, name, marker: configuration.key)
            try await objects.put(keyObject.encoded, as: KeyObject.objectName(keyObject.name))
            try await admit(certificate, keyring.current, objects)
            // The mark of a complete cloud library.
            try await objects.put(
                configuration.encoded,
                as: LibraryConfiguration.objectName(configuration.name)
            )
            try begin(identity, name: name, isCreator: true)
        }
        return Outcome(cloudLibrary: cloudLibrary, device: device, recoveryCode: code, probe: probe)
    }

    // MARK: - Joining

    func join(
        _ settings: StoreSettings,
        secret: CloudSecret,
        name: String
    ) async throws(LibraryError) -> Outcome {
        try checkMembership()
        let marker = try await opener.reading(settings) { objects throws(LibraryError) in
            try await objects.configurations().first?.key
        }
        guard let marker else {
            throw LibraryError(
                .invalidRequest,
                "There is no cloud library at \(settings.address.text).",
                recovery: "Correct the address, or make one with photos cloud create."
            )
        }
        let store = try opener.open(settings, marker)
        do throws(LibraryError) {
            let objects = CloudObjectReader(store)
            let probe = try await opener.probe(store, settings, marker: marker)
            let outcome = try await join(settings, secret, name, objects, probe, marker)
            await store.close()
            return outcome
        } catch {
            await store.close()
            throw error
        }
    }

    private func join(
        _ settings: StoreSettings,
        _ secret: CloudSecret,
        _ name: String,
        _ objects: CloudObjectReader,
        _ probe: ProbeResult,
        _ marker: ObjectKey
    ) async throws(LibraryError) -> Outcome {
        let configurations = try await objects.configurations()
        // The same passphrase may open the keys of a cloud library whose creation failed.
        let libraries = Set(configurations.map(\.library))
        let found = try await objects.keyObjects(except: []).objects
        let opened = try Self.open(found.filter { libraries.contains($0.library) }, with: secret)
        let (keyring, root) = (opened.keyring, opened.object.root)
        var generator = SystemRandomNumberGenerator()
        let device = CloudID(using: &generator)
        let deviceKeys: DeviceKeys
        let certificate: DeviceCertificate
        do throws(CloudKeyError) {
            deviceKeys = try DeviceKeys(using: &generator)
            certificate = try DeviceCertificate(
                library: keyring.library,
                device: device,
                name: name,
                keys: deviceKeys,
                admission: .epoch(keyring.current)
            )
        } catch {
            throw LibraryError(error)
        }
        var members = MemberDirectory(library: keyring.library, root: root)
        // The key object that the secret opened lists those that were admitted before.
        members.accept(opened.object.listed)
        for device in opened.object.removed { members.remove(device) }
        var identity = CloudIdentity(
            DeviceSecrets(device: device, keys: deviceKeys, keyring: keyring, root: root),
            members: members,
            of: library,
            in: secrets
        )
        try save(identity, settings, probe, name, marker: marker)
        _ = try await identity.refresh(from: objects)
        // The list of the opened object is trusted because the secret opened it. Without a record
        // of that, its signer could be unknown to the next process.
        try identity.saveSeen()
        try keys { () throws(CloudKeyError) in try opened.object.verify(with: identity.members) }
        guard LibraryConfiguration.newest(of: configurations, members: identity.members) != nil
        else {
            throw LibraryError(
                .networkError,
                "The cloud library at \(settings.address.text) has no valid configuration.",
                reason: "No member of the library whose keys were opened has signed it.",
                recovery: "Check the address. Somebody else may write to this store."
            )
        }
        try await Self.complete { [identity] () throws(LibraryError) in
            try await admit(certificate, keyring.current, objects)
            try await checkEpoch(keyring, identity.members, objects)
            try begin(identity, name: name, isCreator: false)
        }
        return Outcome(
            cloudLibrary: keyring.library,
            device: device,
            recoveryCode: nil,
            probe: probe
        )
    }

    /// Returns the newest key object that a passphrase or recovery code opens, and the object's
    /// keys.
    ///
    /// Each object contains the keys of all former epochs, so the newest one contains the most
    /// keys.
    private static func open(
        _ objects: [KeyObject],
        with secret: CloudSecret
    ) throws(LibraryError) -> (object: KeyObject, keyring: EpochKeyring) {
        var opened: [(object: KeyObject, keyring: EpochKeyring)] = []
        var failure: CloudKeyError?
        do throws(CloudKeyError) {
            let passphrase: Passphrase?
            let code: RecoveryCode?
            switch secret {
            case .passphrase(let text): (passphrase, code) = (try Passphrase(text), nil)
            case .recoveryCode(let text):
                (passphrase, code) = (nil, try RecoveryCode(reading: text))
            }
            for object in objects {
                do throws(CloudKeyError) {
                    if let passphrase, object.hasPassphrase {
                        opened.append((object, try object.open(with: passphrase)))
                    } else if let code {
                        opened.append((object, try object.open(with: code)))
                    } else if failure == nil, let passphrase {
                        _ = try object.open(with: passphrase)
                    }
                } catch {
                    failure = error
                }
            }
        } catch {
            throw LibraryError(error)
        }
        guard let newest = opened.max(by: { $0.keyring.all.count < $1.keyring.all.count }) else {
            if let failure { throw LibraryError(failure) }
            throw LibraryError(
                .networkError,
                "The cloud library has no keys in its store.",
                recovery: "Check the address, and that the store is complete."
            )
        }
        let library = MemberDirectory(library: newest.object.library, root: newest.object.root)
        let later = objects.contains {
            $0.belongs(to: library) && newest.keyring[$0.epoch] == nil
        }
        guard !later else {
            throw LibraryError(
                .invalidRequest,
                "The passphrase or recovery code is that of a former epoch.",
                reason: "The passphrase was changed since, or a device was removed.",
                recovery: "Use the passphrase or the recovery code from that change."
            )
        }
        return newest
    }

    /// Checks that no epoch has begun while this device was joining.
    ///
    /// The device would not receive the key of such an epoch.
    private func checkEpoch(
        _ keyring: EpochKeyring,
        _ members: MemberDirectory,
        _ objects: CloudObjectReader
    ) async throws(LibraryError) {
        let found = try await objects.keyObjects(except: []).objects
        guard found.allSatisfy({ !$0.belongs(to: members) || keyring[$0.epoch] != nil }) else {
            throw LibraryError(
                .busy,
                "The keys of the cloud library were changed while this device joined.",
                reason: "A device was removed, or the passphrase was changed.",
                recovery: "Join again with the new passphrase or recovery code."
            )
        }
    }

    // MARK: - Parts

    private func checkMembership() throws(LibraryError) {
        guard try engine.cloudMembership() == nil else {
            throw LibraryError(
                .changeNotSupported,
                "The library is already part of a cloud library.",
                recovery: "Use photos cloud leave first."
            )
        }
    }

    /// Runs the part of a setup that must not end early, even if the task is canceled meanwhile.
    ///
    /// A cloud library of which the store contains only some objects, or whose recovery code nobody
    /// received, would be of no use.
    ///
    /// - Parameter body: The part, which is not run if the task is canceled already.
    /// - Throws: The error of `body`, or `cancelled`.
    private static func complete(
        _ body: @escaping @Sendable () async throws(LibraryError) -> Void
    ) async throws(LibraryError) {
        guard !Task.isCancelled else { throw .cancelled }
        let work = Task.detached { () async -> Result<Void, LibraryError> in
            do throws(LibraryError) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }
        try await work.value.get()
    }

    private func save(
        _ identity: CloudIdentity,
        _ settings: StoreSettings,
        _ probe: ProbeResult,
        _ name: String,
        marker: ObjectKey?
    ) throws(LibraryError) {
        // What an earlier membership has seen is not true of this one.
        try keys { () throws(CloudKeyError) in try secrets.remove(library) }
        try identity.save()
        try StoredSettings(of: library, in: secrets).write(
            StoredSettings.Value(
                store: settings,
                isBackupOnly: probe.capability != .full,
                name: name,
                library: path,
                marker: marker
            )
        )
    }

    private func admit(
        _ certificate: DeviceCertificate,
        _ epoch: EpochKey,
        _ objects: CloudObjectReader
    ) async throws(LibraryError) {
        let sealed = try keys { () throws(CloudKeyError) in try certificate.sealed(with: epoch) }
        try await objects.put(sealed, as: DeviceCertificate.objectName(certificate.device))
    }

    private func begin(
        _ identity: CloudIdentity,
        name: String,
        isCreator: Bool
    ) throws(LibraryError) {
        let machine = SyncMachine(
            device: identity.secrets.device,
            name: name,
            isCreator: isCreator,
            hashing: identity.sealer
        )
        var journal = MachineJournal(
            folder: engine.cloudStateFolder,
            keyring: identity.secrets.keyring
        )
        // A state that an earlier membership left belongs to other keys.
        try MachineJournal.remove(journal.folder)
        try journal.checkpoint(machine)
        try engine.joinCloud(
            library: identity.secrets.keyring.library.hexadecimal,
            device: identity.secrets.device
        )
    }

    private static var now: HybridTime {
        var clock = HybridClock()
        return clock.next(now: UInt64(max(0, Date().timeIntervalSince1970 * 1_000)))
    }
}
