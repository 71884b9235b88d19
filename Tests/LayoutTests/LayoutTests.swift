import Foundation
import TestSupport
import Testing

@Suite struct LayoutTests {
    private static let sources = SharedData.packageRoot.appendingPathComponent("Sources")

    private static func swiftFiles(below folder: URL) throws -> [URL] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return names.filter { $0.hasSuffix(".swift") }.sorted().map(folder.appendingPathComponent)
    }

    /// The targets that hold Swift, by the folders there are.
    private static func targets() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: sources.path).sorted().filter { name in
            try !swiftFiles(below: sources.appendingPathComponent(name)).isEmpty
        }
    }

    private static func place(_ url: URL) -> String {
        String(url.path.dropFirst(SharedData.packageRoot.path.count + 1))
    }

    @Test func importsGoDownTheTable() throws {
        let targets = try Self.targets()
        #expect(targets.count > 10, "The sources are not at \(Self.sources.path).")
        for target in targets {
            #expect(ImportTable.rows[target] != nil, "\(target) has no row in ImportTable.")
            for url in try Self.swiftFiles(below: Self.sources.appendingPathComponent(target)) {
                let forbidden = ImportTable.forbidden(try SourceFile.at(url).imports, in: target)
                #expect(
                    forbidden.isEmpty,
                    "\(Self.place(url)) imports \(forbidden.sorted()), which \(target) may not."
                )
            }
        }
    }

    @Test func onlyTheThirdTierIsPublic() throws {
        for target in try Self.targets() where !ImportTable.publicTargets.contains(target) {
            for url in try Self.swiftFiles(below: Self.sources.appendingPathComponent(target)) {
                for line in try SourceFile.at(url).publicLines {
                    Issue.record("\(Self.place(url)):\(line) is public; below Photos, use package.")
                }
            }
        }
    }

    @Test func photosReachesTheEngineAtOnePlace() throws {
        let files = try Self.swiftFiles(below: Self.sources.appendingPathComponent("Photos"))
            .filter { try SourceFile.at($0).imports.contains("EmbeddedLibrary") }
        #expect(files.count == 1, "\(files.map(Self.place)) import EmbeddedLibrary.")
        let management = Self.sources.appendingPathComponent("PhotosManagement")
        for url in try Self.swiftFiles(below: management) {
            guard try SourceFile.at(url).imports.contains("EmbeddedLibrary") else { continue }
            #expect(
                Self.place(url).hasPrefix("Sources/PhotosManagement/Libraries/"),
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

    @Test func filesStaySmall() throws {
        for url in try Self.swiftFiles(below: Self.sources) {
            let count = try SourceFile.at(url).lines.count
            #expect(count <= 700, "\(Self.place(url)) has \(count) lines; split it by topic.")
        }
    }

    @Test func targetsDifferInMoreThanCase() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
        #expect(Set(names.map { $0.lowercased() }).count == names.count)
    }
}
