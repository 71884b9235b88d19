import CloudKeys
import CloudSync
import Foundation
import LibraryService
import SamplePhotos
import TestSupport
import Testing

/// Secrets in files that only their owner can read.
@Suite(.timeLimit(.minutes(1))) struct FileSecretStoreTests {
    private let folder: TemporaryFolder
    private let store: FileSecretStore
    private let library = UUID()

    init() throws {
        folder = try TemporaryFolder("photos-secrets")
        store = FileSecretStore(state: StateFolder(folder.path + "/swift-photos"))
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    private var file: String { store.path(of: library) + "/keys" }

    @Test func itemsSurviveAndArePrivate() throws {
        #expect(try store.read(.keys, of: library) == nil)
        for bytes in [[1, 2, 3], [], [UInt8](repeating: 7, count: 100_000)] {
            try store.write(bytes, to: .keys, of: library)
            #expect(try store.read(.keys, of: library) == bytes)
        }
        try store.write([9], to: .seen, of: library)
        #expect(try store.read(.credentials, of: library) == nil)
        #expect(try mode(file) == 0o600)
        #expect(try mode(store.path(of: library)) == 0o700)
        let place = folder.path + "/swift-photos/cloud/" + library.uuidString
        #expect(store.path(of: library) == place)
        try store.remove(library)
        try store.remove(library)
        #expect(!FileManager.default.fileExists(atPath: store.path(of: library)))
        #expect(try store.read(.keys, of: library) == nil)
    }

    @Test(arguments: [0o640, 0o604, 0o660, 0o601, 0o644])
    func aFileThatOthersMayAccessIsRefused(_ wide: Int) throws {
        try store.write([1], to: .keys, of: library)
        try FileManager.default.setAttributes([.posixPermissions: wide], ofItemAtPath: file)
        let error = #expect(throws: CloudKeyError.self) {
            try store.read(.keys, of: library)
        }
        #expect(error?.code == .insecureFile)
        #expect(error?.description.contains("chmod 600 \(file)") == true)
        // A new file is private again, whatever a crash left behind.
        let draft = file + ".new"
        try Data("old".utf8).write(to: URL(fileURLWithPath: draft))
        try FileManager.default.setAttributes([.posixPermissions: wide], ofItemAtPath: draft)
        try store.write([2], to: .keys, of: library)
        #expect(try store.read(.keys, of: library) == [2])
    }

    @Test func linksAndFoldersAreRefused() throws {
        try store.write([1], to: .seen, of: library)
        let target = store.path(of: library) + "/seen"
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: target)
        expectRefusal([.insecureFile]) { _ = try store.read(.keys, of: library) }
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: true)
        expectRefusal([.insecureFile]) { _ = try store.read(.keys, of: library) }
    }

    @Test func aPlaceThatCannotBeWrittenIsNamed() throws {
        try folder.write(Data(), to: "file")
        let store = FileSecretStore(state: StateFolder(folder.path + "/file"))
        expectRefusal([.inputOutput]) { try store.write([1], to: .keys, of: library) }
    }

    @Test func theSecretsOfADeviceSurvive() throws {
        var world = try CloudWorld()
        let ring = try world.beginEpoch().keyring
        let secrets = DeviceSecrets(
            device: world.first.id,
            keys: world.first.keys,
            keyring: ring,
            root: world.members.root
        )
        try store.write(secrets.encoded, to: .keys, of: library)
        let bytes = try #require(try store.read(.keys, of: library))
        let read = try DeviceSecrets(decoding: bytes)
        #expect(read.device == secrets.device && read.root == secrets.root)
        #expect(read.keyring == ring && read.keyring.current == ring.current)
        #expect(read.keys.memberKey == world.first.keys.memberKey)
        #expect(read.keys.verificationKey == world.first.keys.verificationKey)
        #expect(read.encoded == secrets.encoded)
        for (index, flipped) in Damage.flips(of: bytes) {
            #expect(throws: CloudKeyError.self, "byte \(index)") {
                try DeviceSecrets(decoding: flipped)
            }
        }
        for count in 0..<bytes.count {
            #expect(throws: CloudKeyError.self) {
                try DeviceSecrets(decoding: Array(bytes.prefix(count)))
            }
        }
    }
}
