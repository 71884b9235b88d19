package import CloudSync

/// The certificates of a cloud library that this device accepts.
///
/// 1. The first device's certificate is pinned: its fingerprint came with the key of an epoch,
///    authenticated by the passphrase, the recovery code or a member.
/// 2. Any other device was admitted by a member that is not removed, or by a holder of the current
///    epoch's key. A removed device knows former keys only.
/// 3. A certificate of a former epoch counts if it was accepted before, or if the signed list of a
///    later key object contains it.
package struct MemberDirectory: Sendable {
    package let library: CloudID
    package let root: Fingerprint
    package private(set) var certificates: [CloudID: DeviceCertificate] = [:]
    /// The removed devices, whose segments are still read but which cannot admit other devices.
    package private(set) var removed: Set<CloudID> = []
    /// The fingerprints of certificates that are accepted although their issuer may no longer admit
    /// devices.
    private var listed: [CloudID: Fingerprint] = [:]

    package init(library: CloudID, root: Fingerprint) {
        self.library = library
        self.root = root
    }

    /// The certificates of the current members, sorted by device.
    package var members: [DeviceCertificate] {
        certificates.values.filter { !removed.contains($0.device) }
            .sorted { $0.device < $1.device }
    }

    /// Marks a device as removed.
    package mutating func remove(_ device: CloudID) { removed.insert(device) }

    /// Adds a list of certificate fingerprints to the accepted ones.
    ///
    /// The list must come from a verified key object or from this device's own state.
    package mutating func accept(_ list: [CloudID: Fingerprint]) {
        listed.merge(list) { known, _ in known }
    }

    /// Accepts a certificate, or throws an error with the reason why it is not acceptable.
    ///
    /// A certificate that a member issued can be accepted only after that member's own certificate.
    package mutating func admit(
        _ certificate: DeviceCertificate,
        keys: EpochKeyring
    ) throws(CloudKeyError) {
        let object = DeviceCertificate.objectName(certificate.device)
        guard certificate.library == library else { throw .otherLibrary(object) }
        if let known = certificates[certificate.device] {
            guard known == certificate else {
                throw .notAdmitted(object, "The device has another certificate already.")
            }
            return
        }
        try check(certificate, object, keys)
        certificates[certificate.device] = certificate
    }

    /// Accepts all acceptable certificates of a list, which may be in any order.
    ///
    /// - Returns: The others, with the reasons.
    package mutating func admitAll(
        _ candidates: [DeviceCertificate],
        keys: EpochKeyring
    ) -> [(certificate: DeviceCertificate, error: CloudKeyError)] {
        var rest = candidates
        while true {
            var refused: [(certificate: DeviceCertificate, error: CloudKeyError)] = []
            for candidate in rest {
                do throws(CloudKeyError) {
                    try admit(candidate, keys: keys)
                } catch {
                    refused.append((candidate, error))
                }
            }
            if refused.isEmpty || refused.count == rest.count { return refused }
            rest = refused.map(\.certificate)
        }
    }

    private func check(
        _ certificate: DeviceCertificate,
        _ object: String,
        _ keys: EpochKeyring
    ) throws(CloudKeyError) {
        switch certificate.issuer {
        case .itself:
            guard certificate.fingerprint == root else {
                throw .notAdmitted(object, "It is not the device that made the cloud library.")
            }
        case .member(let id):
            guard let issuer = certificates[id] else {
                throw .unknownSigner(object, id)
            }
            guard !removed.contains(id) || isListed(certificate) else {
                throw .notAdmitted(object, "The device that admitted it was removed.")
            }
            guard certificate.isIssued(with: issuer.verificationKey) else {
                throw .wrongSignature(object, of: "the device \(id.hexadecimal)")
            }
        case .epoch(let id):
            guard let epoch = keys[id] else { throw .unknownEpoch(object, id) }
            let key = try epoch.admissionKey.verificationKey
            guard let key = VerificationKey(bytes: key), certificate.isIssued(with: key) else {
                throw .wrongSignature(object, of: "a holder of the epoch's key")
            }
            guard id == keys.current.id || isListed(certificate) else {
                throw .notAdmitted(object, "The epoch in which it was admitted is over.")
            }
        }
    }

    private func isListed(_ certificate: DeviceCertificate) -> Bool {
        listed[certificate.device] == certificate.fingerprint
    }

    /// Returns the public key that verifies the signatures of a device.
    ///
    /// - Throws: ``CloudKeyError``: `unknownSigner`.
    func verificationKey(
        of device: CloudID,
        for object: String
    ) throws(CloudKeyError) -> VerificationKey {
        guard let certificate = certificates[device] else { throw .unknownSigner(object, device) }
        return certificate.verificationKey
    }
}

extension CloudKeyError {
    static func notAdmitted(_ object: String, _ reason: String) -> CloudKeyError {
        CloudKeyError(
            .notAdmitted,
            "The certificate \(object) is not accepted.",
            reason: reason,
            recovery: "If you added this device, remove it and join it again. Otherwise somebody"
                + " can write to the store: change its credentials."
        )
    }

    static func unknownSigner(_ object: String, _ device: CloudID) -> CloudKeyError {
        CloudKeyError(
            .unknownSigner,
            "The object \(object) was signed by the device \(device.hexadecimal), of which no"
                + " certificate is accepted.",
            recovery: verify
        )
    }
}
