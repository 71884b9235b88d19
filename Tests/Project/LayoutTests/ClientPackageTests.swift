import Foundation
import TestSupport
import Testing

/// What a program that depends on this package has to fetch.
@Suite(.timeLimit(.minutes(5))) struct ClientPackageTests {
    /// A package that another one was resolved to.
    private struct Pin: Decodable {
        var identity: String
        var location: String
    }

    private struct Pins: Decodable {
        var pins: [Pin]

        static func at(_ url: URL) throws -> [Pin] {
            try JSONDecoder().decode(Pins.self, from: Data(contentsOf: url)).pins
        }
    }

    private static let root = SharedData.packageRoot
    private static let repositories = root.appendingPathComponent(".build/repositories")

    /// The variables by which git takes every package from the copy that this build fetched.
    private static func variables() throws -> [String: String?]? {
        let copies =
            (try? FileManager.default.contentsOfDirectory(atPath: repositories.path)) ?? []
        var variables: [String: String?] = [:]
        var count = 0
        for pin in try Pins.at(root.appendingPathComponent("Package.resolved")) {
            let last = pin.location.split(separator: "/").last.map(String.init) ?? ""
            let name = last.hasSuffix(".git") ? String(last.dropLast(4)) : last
            let copy = copies.first { copy in
                copy.hasPrefix(name + "-") && copy.utf8.count == name.utf8.count + 9
            }
            guard let copy else { return nil }
            let url = repositories.appendingPathComponent(copy).absoluteString
            variables["GIT_CONFIG_KEY_\(count)"] = "url.\(url).insteadOf"
            variables["GIT_CONFIG_VALUE_\(count)"] = pin.location
            count += 1
        }
        variables["GIT_CONFIG_COUNT"] = "\(count)"
        return variables
    }

    @Test(
        "A program that wants Photos resolves two packages",
        .enabled(if: ProcessRunner.path(of: "swift") != nil, "swift is not in the path")
    )
    func aClientResolvesTwoPackages() throws {
        guard let variables = try Self.variables() else {
            print("Skipped: the packages are not in \(Self.repositories.path).")
            return
        }
        let folder = try TemporaryFolder("photos-client")
        let manifest = """
            // swift-tools-version: 6.2
            import PackageDescription
            let package = Package(
                name: "Client",
                dependencies: [
                    .package(name: "swift-photos", path: "\(Self.root.path)", traits: [])
                ],
                targets: [
                    .executableTarget(
                        name: "Client",
                        dependencies: [
                            .product(name: "Photos", package: "swift-photos"),
                            .product(name: "PhotosManagement", package: "swift-photos"),
                            .product(name: "PhotosShims", package: "swift-photos"),
                        ]
                    )
                ]
            )
            """
        try folder.write(Data(manifest.utf8), to: "Package.swift")
        try folder.write(Data("import Photos\n".utf8), to: "Sources/Client/main.swift")
        let output = try ProcessRunner.run(
            "swift",
            [
                "package", "resolve", "--disable-dependency-cache",
                "--scratch-path", folder.path + "/.build",
            ],
            environment: variables,
            folder: folder.url
        )
        #expect(output.status == 0, "\(output.errorText)")
        let pins = try Pins.at(folder.file("Package.resolved"))
        #expect(pins.map(\.identity).sorted() == ["grdb.swift", "swift-log"])
    }

    /// README and article say it, and the examples do it.
    @Test func whatIsDocumentedIsTheShortWay() throws {
        for path in ["README.md", "Sources/API/Photos/Photos.docc/PortingAProgram.md"] {
            let file = Self.root.appendingPathComponent(path)
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.contains("traits: [])"), "\(path)")
        }
        for example in ["PhotoWalk", "AlbumBook"] {
            let file = Self.root.appendingPathComponent("Examples/\(example)/Package.swift")
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.contains("traits: [])"), "\(example)")
        }
    }
}
