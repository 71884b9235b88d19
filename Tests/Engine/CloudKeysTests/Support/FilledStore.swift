import CloudKeys
import CloudSync
import Crypto
import Foundation
import ObjectStorage
import PhotoModel
import StoreClients
import TestSupport
import Testing

/// A directory store with one object of each kind, made from a library with known words.
struct FilledStore {
    let folder: TemporaryFolder
    let world: CloudWorld
    let second: TestDevice
    let code: RecoveryCode
    let epochKey: EpochKey
    let segments: [String: [UInt8]]
    let blob: (name: BlobName, record: BlobRecord, content: ContentID)

    static let passphrase = "correct horse battery"
    static let title = "Sommer in Portugal"
    static let file = "IMG_2047.HEIC"
    static let photo = Data("A photo that is a secret.".utf8) + Data(count: 1_500_000)

    /// The words that no object may contain.
    static let words = [
        "Ännis Laptop", "Desktop", title, file, "A photo that is a secret.", passphrase,
    ]

    init() async throws {
        folder = try TemporaryFolder("photos-cloud")
        var world = try CloudWorld(seed: 11)
        let second = try world.join()
        let code = RecoveryCode(using: &world.generator)
        let ring = try world.beginEpoch(passphrase: Self.passphrase, code: code)
        let bucket = try folder.folder("bucket").path
        let store = try await DirectoryStore.open(bucket, marker: nil, timeout: .seconds(60))
        func put(_ name: String, _ source: ObjectSource) async throws {
            let key = try ObjectKey(name)
            _ = try await store.put(key, from: source, mode: .create, timeout: .seconds(60))
        }
        try await put(KeyObject.objectName(ring.object.name), ObjectSource(ring.object.encoded))
        for device in [world.first, second] {
            let sealed = try device.certificate.sealed(with: world.keyring.current)
            try await put(DeviceCertificate.objectName(device.id), ObjectSource(sealed))
        }
        let configuration = try LibraryConfiguration(
            name: CloudID(using: &world.generator),
            library: world.library,
            time: HybridTime(rawValue: 1),
            probe: [],
            signer: world.first.id,
            keys: world.first.keys
        )
        try await put(
            LibraryConfiguration.objectName(configuration.name),
            ObjectSource(configuration.encoded)
        )
        world.keyring = ring.keyring
        let blob = try Self.sealPhoto(for: world.first.id, folder, &world.generator)
        let sealed = try FileHandle(forReadingFrom: folder.file("sealed"))
        try await put(
            ObjectName.blob(blob.name).description,
            ObjectSource(
                descriptor: sealed.fileDescriptor,
                range: 0..<blob.record.layout.sealedSize
            )
        )
        var segments: [String: [UInt8]] = [:]
        for (number, device) in [world.first, second].enumerated() {
            let segment = Self.segment(of: device.id, blob)
            let object = try world.sealed(
                segment,
                by: device,
                cipher: ObjectCipher.allCases[number]
            )
            try await put(object.name.description, ObjectSource(object.bytes))
            segments[object.name.description] = segment.encoded()
        }
        await store.close()
        self.world = world
        self.second = second
        self.code = code
        epochKey = ring.keyring.current
        self.segments = segments
        self.blob = blob
    }

    private static func sealPhoto(
        for device: CloudID,
        _ folder: TemporaryFolder,
        _ generator: inout some RandomNumberGenerator
    ) throws -> (name: BlobName, record: BlobRecord, content: ContentID) {
        let name = BlobName(device: device, id: CloudID(using: &generator))
        let source = try folder.write(photo, to: "photo")
        let target = try folder.write(Data(), to: "sealed")
        let input = try FileHandle(forReadingFrom: source)
        let output = try FileHandle(forUpdating: target)
        let content = try #require(ContentID(bytes: Array(SHA256.hash(data: photo))))
        let record = try BlobSealer.seal(
            input.fileDescriptor,
            to: output.fileDescriptor,
            as: name,
            content: content,
            using: &generator
        )
        return (name, record, content)
    }

    private static func segment(
        of device: CloudID,
        _ blob: (name: BlobName, record: BlobRecord, content: ContentID)
    ) -> Segment {
        let asset = CloudID(device.low, 1)
        let resource = CloudResource(
            id: CloudID(device.low, 2),
            content: blob.content,
            record: Array(file.utf8)
        )
        let operations: [CloudOperation] = [
            .create(asset, Creation(kind: .asset, isImported: true, originals: [resource])),
            .set(asset, RegisterKey(.title), rank: 0, .text(title)),
            .stored(blob.content, blob: blob.name, key: blob.record.encoded),
            .join(name: "Ännis Laptop"),
        ]
        let time = HybridTime(rawValue: 5 << 20)
        return Segment(
            device: device,
            sequence: 1,
            previous: Segment.origin,
            vector: [:],
            transactions: [
                CloudTransaction(time: time, author: device, operations: operations)
            ]
        )
    }

    /// The names and contents of all objects.
    func objects() throws -> [(name: String, bytes: Data)] {
        let bucket = folder.file("bucket")
        let names = try FileManager.default.subpathsOfDirectory(atPath: bucket.path)
        return try names.compactMap { name in
            let file = bucket.appendingPathComponent(name)
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
            return isFolder.boolValue ? nil : (name, try Data(contentsOf: file))
        }
    }
}
