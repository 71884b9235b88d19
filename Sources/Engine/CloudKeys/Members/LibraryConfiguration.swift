package import CloudSync
package import PhotoModel

/// The signed but unencrypted description of a cloud library in its store.
///
/// A device checks it before each session, so that an empty mount point or another bucket is never
/// mistaken for this library.
package struct LibraryConfiguration: Hashable, Sendable {
    package let name: CloudID
    package let library: CloudID
    /// The time of the configuration.
    ///
    /// Of several configurations, the one with the latest time is used.
    package let time: HybridTime
    package let signer: CloudID
    /// The encoded result of the store's probe, which this module does not interpret.
    package let probe: [UInt8]
    private let signed: SignedFields

    private enum Tag {
        static let library: UInt16 = 1
        static let time: UInt16 = 2
        static let signer: UInt16 = 3
        static let probe: UInt16 = 4
    }

    /// Creates and signs a configuration.
    package init(
        name: CloudID,
        library: CloudID,
        time: HybridTime,
        probe: [UInt8],
        signer: CloudID,
        keys: DeviceKeys
    ) throws(CloudKeyError) {
        var fields = TaggedFields()
        fields[id: Tag.library] = library
        fields[number: Tag.time] = time.rawValue
        fields[id: Tag.signer] = signer
        fields[Tag.probe] = probe
        let object = Self.objectName(name)
        try self.init(
            SignedFields(signing: fields, as: .configuration, named: object, keys: keys),
            name
        )
    }

    /// Decodes a configuration without verifying its signature.
    package init(decoding bytes: [UInt8], named name: CloudID) throws(CloudKeyError) {
        let object = Self.objectName(name)
        try self.init(SignedFields(decoding: bytes, as: .configuration, named: object), name)
    }

    private init(_ signed: SignedFields, _ name: CloudID) throws(CloudKeyError) {
        let fields = signed.fields
        guard let library = fields[id: Tag.library], let time = fields[number: Tag.time],
            time < HybridTime.limit, let signer = fields[id: Tag.signer],
            let probe = fields[Tag.probe]
        else {
            let object = Self.objectName(name)
            throw .damaged(object, "A field of the configuration is missing or invalid.")
        }
        self.name = name
        self.library = library
        self.time = HybridTime(rawValue: time)
        self.signer = signer
        self.probe = probe
        self.signed = signed
    }

    package var encoded: [UInt8] { signed.encoded }

    package static func objectName(_ name: CloudID) -> String { "config/\(name.hexadecimal)" }

    /// Checks that a device of this library signed the configuration.
    ///
    /// A configuration remains valid after its device has been removed, since there may be no other
    /// one.
    package func verify(with members: MemberDirectory) throws(CloudKeyError) {
        guard library == members.library else { throw .otherLibrary(Self.objectName(name)) }
        try signed.verify(signer: signer, members: members)
    }

    /// Returns the newest of the configurations that members of this library signed; nil if there
    /// is none.
    package static func newest(
        of candidates: [LibraryConfiguration],
        members: MemberDirectory
    ) -> LibraryConfiguration? {
        candidates.filter { (try? $0.verify(with: members)) != nil }
            .max { ($0.time, $0.name) < ($1.time, $1.name) }
    }
}
