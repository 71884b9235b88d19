import Foundation
import SamplePhotos
import StoreFixture
import TestSupport
import Testing

/// Computers of one person, each with a library and keys of its own, and the folder that they
/// share.
///
/// Not Sendable: one test owns it.
final class CloudHomes {
    let folder: TemporaryFolder
    let homes: [DaemonHome]

    /// Makes computers with empty libraries.
    init(_ count: Int) throws {
        folder = try TemporaryFolder("photos-cloud-store")
        try FileManager.default.createDirectory(
            at: folder.file("store"),
            withIntermediateDirectories: true
        )
        homes = try (0..<count).map { _ in try DaemonHome() }
        for home in homes { try home.succeed("create", daemon: "0") }
    }

    /// The path of the store.
    var store: String { folder.file("store").path }
    private(set) lazy var address = "file://" + store
    /// What `create` and `join` need beside the address.
    private var options: [String] = []

    /// Makes the store a part of a bucket, instead of a folder.
    func use(_ bucket: CephGateway.Settings) throws {
        address = "s3://\(bucket.bucket)/homes-\(UUID().uuidString.lowercased())"
        try folder.write(Data(bucket.credentialsFile.utf8), to: "credentials")
        options = [
            "--endpoint", bucket.endpoint, "--region", bucket.region, "--credentials-file",
            folder.file("credentials").path,
        ]
    }

    subscript(index: Int) -> DaemonHome { homes[index] }

    /// Makes the cloud library on the first computer.
    ///
    /// - Returns: The recovery code.
    func create() throws -> String {
        let text = try cloud(0, ["create", address, "--name", "Computer 0", "--json"] + options)
        return try #require(Self.object(text)["recoveryCode"] as? String)
    }

    /// Joins the other computers.
    func join(with code: String) throws {
        for index in homes.indices.dropFirst() { try join(index, with: code) }
    }

    func join(_ index: Int, with code: String) throws {
        let home = homes[index]
        try home.folder.write(Data(code.utf8), to: "secret")
        let secret = ["--passphrase-file", home.folder.file("secret").path]
        _ = try cloud(
            index,
            ["join", address, "--name", "Computer \(index)"] + secret + options
        )
    }

    private func cloud(_ index: Int, _ arguments: [String]) throws -> String {
        let output = try homes[index]
            .run(BuiltProducts.photos.path, ["cloud"] + arguments, daemon: nil)
        #expect(output.status == 0, "\(arguments.first ?? ""): \(output.errorText)")
        return output.text
    }

    /// Syncs all computers until each has what the others have.
    func sync(rounds: Int = 2) throws {
        for _ in 0..<rounds {
            for home in homes { try home.succeed("cloud", "sync", "--once", daemon: nil) }
        }
    }

    /// What a person sees of a library: photos with all their facts, and albums with their order.
    func facts(_ index: Int) throws -> [String] {
        let home = homes[index]
        func identifiers(_ options: String...) throws -> [String] {
            try home.run(BuiltProducts.photos.path, ["list", "--json"] + options, daemon: "0")
                .text.split(separator: "\n").map {
                    try #require(try Self.object(String($0))["localIdentifier"] as? String)
                }
        }
        let trash = try home.succeed("list", "--deleted", "--json", daemon: "0")
            .split(separator: "\n").map(String.init)
        let all = try identifiers("--include-hidden", "--include-all-burst-assets")
        let facts = try all.sorted().map { identifier in
            var object = try Self.object(
                home.succeed("show", identifier, "--json", daemon: "0")
            )
            // It counts what was rendered here.
            object["contentVersion"] = nil
            // A library in no cloud library does not say it.
            object["cloud"] = nil
            let data = try JSONSerialization.data(
                withJSONObject: object,
                options: [.sortedKeys, .withoutEscapingSlashes]
            )
            return String(decoding: data, as: UTF8.self)
        }
        let albums = try home.succeed("albums", "--json", daemon: "0").split(separator: "\n")
        var orders: [String] = []
        for album in albums {
            let object = try Self.object(String(album))
            // Photos with equal times are in the order of their arrival in the system's albums.
            guard object["assetCollectionType"] as? String == "album" else { continue }
            let name = try #require(object["localIdentifier"] as? String)
            orders.append(
                try home.succeed("list", "--album", name, daemon: "0")
            )
        }
        return facts + trash + albums.map(String.init) + orders
    }

    /// Expects that a person sees the same on two computers.
    func expectEqual(
        _ first: Int = 0,
        _ second: Int = 1,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let (left, right) = (try facts(first), try facts(second))
        let missing = left.filter { !right.contains($0) }
        let added = right.filter { !left.contains($0) }
        let isEqual = left == right
        #expect(
            isEqual,
            "Only \(first): \(missing)\nOnly \(second): \(added)",
            sourceLocation: sourceLocation
        )
    }

    /// The SHA-256 of all originals, as `photos verify --full` finds them to be right.
    func verify(_ index: Int) throws {
        try homes[index].succeed("verify", "--full", daemon: "0")
    }

    static func object(_ text: String) throws -> [String: Any] {
        let line = text.split(separator: "\n").last ?? ""
        return try #require(
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        )
    }

    /// The names of the files in the store.
    func objects() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: store).filter {
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(
                atPath: store + "/" + $0,
                isDirectory: &isFolder
            ) && !isFolder.boolValue
        }
    }
}
