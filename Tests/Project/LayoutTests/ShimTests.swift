import Foundation
import TestSupport
import Testing

/// Modules with Apple's names must not mislead the packages that are built with ours, nor their
/// readers.
@Suite(.timeLimit(.minutes(2))) struct ShimTests {
    private static let root = SharedData.packageRoot
    private static let checkouts = root.appendingPathComponent(".build/checkouts")

    /// Returns the names in the manifest.
    private static func names() throws -> [String] {
        let manifest = try String(
            contentsOf: root.appendingPathComponent("Package.swift"),
            encoding: .utf8
        )
        let list = try #require(manifest.firstMatch(of: /let shims = \[([^\]]*)\]/)).1
        return list.matches(of: /"(\w+)"/).map { String($0.1) }
    }

    /// Returns the compiled sources; test folders are not compiled when another package is built.
    private static func compiledSources() throws -> [URL] {
        let uncompiled: Set<String> = [
            "Tests", "Benchmarks", "IntegrationTests", "Examples", ".git",
        ]
        let walk = FileManager.default.enumerator(at: checkouts, includingPropertiesForKeys: nil)
        var files: [URL] = []
        while let url = walk?.nextObject() as? URL {
            if uncompiled.contains(url.lastPathComponent) {
                walk?.skipDescendants()
            } else if url.pathExtension == "swift", !url.hasDirectoryPath {
                files.append(url)
            }
        }
        return files
    }

    /// Returns the modules that a file tests for, or nil for a file without such a test.
    private static func tests(in url: URL) throws -> Set<String>? {
        // There are thousands of files, and nearly all have none.
        let bytes = try Data(contentsOf: url)
        guard bytes.range(of: Data("canImport".utf8)) != nil else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return Set(text.matches(of: /canImport\(\s*(\w+)/).map { String($0.1) })
    }

    @Test func eachOnlyHandsTheCompanionsOn() throws {
        let names = try Self.names()
        #expect(names.count > 5)
        for name in names {
            let folder = Self.root.appendingPathComponent("Sources/API/Shims/\(name)")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path)
                    == ["\(name).swift"]
            )
            let url = folder.appendingPathComponent("\(name).swift")
            let file = SourceFile(url: url, text: try String(contentsOf: url, encoding: .utf8))
            #expect(
                file.lines.filter { !$0.isEmpty } == [
                    "@_exported public import PhotosCompanions"
                ]
            )
        }
    }

    @Test func noneIsNamedAsWhatDependenciesTestFor() throws {
        let names = Set(try Self.names())
        // These names occur in nearly every package.
        #expect(names.isDisjoint(with: ["Combine", "Darwin", "os", "ObjectiveC", "CoreGraphics"]))
        guard FileManager.default.fileExists(atPath: Self.checkouts.path) else {
            try Test.cancel("The sources of the dependencies are not at \(Self.checkouts.path).")
        }
        var count = 0
        for url in try Self.compiledSources() {
            guard let tests = try Self.tests(in: url) else { continue }
            count += 1
            #expect(
                tests.isDisjoint(with: names),
                """
                \(url.path) would take this system for Apple's: take \
                \(tests.intersection(names).sorted()) out of the shims.
                """
            )
        }
        #expect(count > 10, "Hardly any dependency's source was read.")
    }

    @Test func ourSourcesDoNotTestForThem() throws {
        let names = Set(try Self.names())
        let folder = Self.root.appendingPathComponent("Sources")
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        where name.hasSuffix(".swift") {
            let tests = try Self.tests(in: folder.appendingPathComponent(name)) ?? []
            #expect(tests.isDisjoint(with: names), "\(name) tests for a shim.")
        }
    }
}
