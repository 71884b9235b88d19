import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct LayoutTests {
    private static let sources = SharedData.packageRoot.appendingPathComponent("Sources")

    private static func swiftFiles(below folder: URL) throws -> [URL] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return names.filter { $0.hasSuffix(".swift") }.sorted().map(folder.appendingPathComponent)
    }

    /// The groups of targets, which are folders of `Sources`.
    private static let tiers = ["API", "Base", "Engine", "Programs", "Worker"]

    /// Returns the folders of all targets, by tier and name, except the modules with Apple's names.
    private static func folders() throws -> [URL] {
        try tiers.flatMap { tier in
            let folder = sources.appendingPathComponent(tier)
            return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
                .filter { $0 != "README.md" && $0 != "Shims" }
                .map(folder.appendingPathComponent)
        }
    }

    /// Returns the folders of the targets that contain Swift.
    private static func targets() throws -> [URL] {
        try folders().filter { try !swiftFiles(below: $0).isEmpty }
    }

    /// Returns the folder of a target.
    private static func folder(of target: String) throws -> URL {
        try #require(try folders().first { $0.lastPathComponent == target })
    }

    private static func place(_ url: URL) -> String {
        String(url.path.dropFirst(SharedData.packageRoot.path.count + 1))
    }

    @Test func importsGoDownTheTable() throws {
        let targets = try Self.targets()
        #expect(targets.count > 10, "The sources are not at \(Self.sources.path).")
        for folder in targets {
            let target = folder.lastPathComponent
            #expect(ImportTable.rows[target] != nil, "\(target) has no row in ImportTable.")
            for url in try Self.swiftFiles(below: folder) {
                let forbidden = ImportTable.forbidden(try SourceFile.at(url).imports, in: target)
                #expect(
                    forbidden.isEmpty,
                    "\(Self.place(url)) imports \(forbidden.sorted()), which \(target) may not."
                )
            }
        }
    }

    @Test func onlyTheThirdTierIsPublic() throws {
        for folder in try Self.targets()
        where !ImportTable.publicTargets.contains(folder.lastPathComponent) {
            for url in try Self.swiftFiles(below: folder) {
                for line in try SourceFile.at(url).publicLines {
                    Issue.record("\(Self.place(url)):\(line) is public; below Photos, use package.")
                }
            }
        }
    }

    @Test func photosReachesTheEngineAtOnePlace() throws {
        let files = try Self.swiftFiles(below: try Self.folder(of: "Photos"))
            .filter { try SourceFile.at($0).imports.contains("EmbeddedLibrary") }
        #expect(files.count == 1, "\(files.map(Self.place)) import EmbeddedLibrary.")
        for url in try Self.swiftFiles(below: try Self.folder(of: "PhotosManagement")) {
            guard try SourceFile.at(url).imports.contains("EmbeddedLibrary") else { continue }
            #expect(
                Self.place(url).hasPrefix("Sources/API/PhotosManagement/Libraries/"),
                "\(Self.place(url)) imports EmbeddedLibrary."
            )
        }
    }

    @Test func theFourthTierSeesNoPackageSymbol() throws {
        let manifest = try String(
            contentsOf: SharedData.packageRoot.appendingPathComponent("Package.swift"),
            encoding: .utf8
        )
        for target in ["PhotosCLI", "PhotosTests"] {
            let start = try #require(manifest.firstRange(of: "name: \"\(target)\"")).upperBound
            let rest = manifest[start...]
            let end = rest.firstRange(of: "arget(")?.lowerBound ?? rest.endIndex
            #expect(
                manifest[start..<end].contains("packageAccess: false"),
                "\(target) can see the engine's symbols."
            )
        }
    }

    @Test func setUpInstallsWhatTheManifestNeeds() throws {
        let root = SharedData.packageRoot
        let manifest = try String(
            contentsOf: root.appendingPathComponent("Package.swift"),
            encoding: .utf8
        )
        let script = try String(
            contentsOf: root.appendingPathComponent("Scripts/setup"),
            encoding: .utf8
        )
        let installed = Set(script.split { " ()\n".contains($0) })
        let needed = manifest.matches(of: /\.apt\(\["([^"]+)"\]\)/).map(\.1)
        #expect(needed.count > 3)
        for package in needed {
            #expect(installed.contains(package), "Scripts/setup does not install \(package).")
        }
    }

    @Test func theFlatpakManifestBuildsWhatIsInstalled() throws {
        let root = SharedData.packageRoot
        let script = try String(
            contentsOf: root.appendingPathComponent("Scripts/install"),
            encoding: .utf8
        )
        let manifest = try String(
            contentsOf: root.appendingPathComponent(
                "Packaging/flatpak/io.github.swift_photos.Gallery.yml"
            ),
            encoding: .utf8
        )
        let list = try #require(script.firstMatch(of: /"\$build"\/\{([^}]+)\}/)).1
        let installed = Set(list.split(separator: ",").map(String.init)).union(["photos"])
        #expect(installed.count > 4)
        let built = Set(manifest.matches(of: /--product (\S+)/).map { String($0.1) })
        #expect(built == installed)
    }

    @Test func filesStaySmall() throws {
        for url in try Self.swiftFiles(below: Self.sources) {
            let count = try SourceFile.at(url).lines.count
            #expect(count <= 700, "\(Self.place(url)) has \(count) lines; split it by topic.")
        }
    }

    @Test func targetsDifferInMoreThanCase() throws {
        let names = try Self.folders().map(\.lastPathComponent)
        #expect(Set(names.map { $0.lowercased() }).count == names.count)
    }

    @Test func sourcesShowTheTiers() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
        #expect(names.sorted() == Self.tiers)
        for tier in Self.tiers {
            let readme = Self.sources.appendingPathComponent("\(tier)/README.md")
            let text = try String(contentsOf: readme, encoding: .utf8)
            for folder in try Self.folders()
            where folder.deletingLastPathComponent().lastPathComponent == tier {
                let name = folder.lastPathComponent
                #expect(text.contains("`\(name)`"), "\(Self.place(readme)) does not name \(name).")
            }
        }
    }

    @Test func roomsStaySmall() throws {
        let files = try Self.swiftFiles(below: Self.sources)
        for (room, files) in Dictionary(grouping: files, by: { $0.deletingLastPathComponent() }) {
            #expect(
                files.count <= 25,
                "\(Self.place(room)) has \(files.count) files; split it by concept."
            )
        }
    }

    /// A test that waits for something that never comes fails by its suite's limit.
    @Test func everySuiteHasATimeLimit() throws {
        let tests = SharedData.packageRoot.appendingPathComponent("Tests")
        var count = 0
        for url in try Self.swiftFiles(below: tests) {
            let lines = try SourceFile.at(url).lines
            for (index, line) in lines.enumerated()
            where line.trimmingCharacters(in: .whitespaces).hasPrefix("@Suite") {
                count += 1
                // The attribute may have a line for each of its traits.
                let attribute = lines[index...].prefix { !$0.contains("struct ") }
                let text =
                    attribute.joined() + (lines[index...].dropFirst(attribute.count).first ?? "")
                #expect(text.contains(".timeLimit("), "\(Self.place(url)):\(index + 1)")
            }
        }
        #expect(count > 300)
    }
}
