import Foundation
import TestSupport
import Testing

/// An import that fills its volume: a small tmpfs, mounted in a separate namespace.
@Suite(
    .enabled(if: Namespace.canMount, "This system lets no user mount a tmpfs."),
    .timeLimit(.minutes(2))
)
struct FullDiskTests {
    let world: CommandWorld

    init() throws { world = try CommandWorld() }

    @Test func importStopsCleanly() throws {
        try world.photos((0..<150).map { "IMG_\($0).JPG" }, padding: 200_000)
        _ = try world.folder.folder("volume")
        let script = """
            mount -t tmpfs -o size=16m none volume || exit 9
            export PHOTOS_LIBRARY=$PWD/volume/L.photolibrary
            "$0" import --json source > import.jsonl 2> import.txt; echo $? > import.status
            "$0" list --json > list.jsonl
            "$0" verify --full --json > verify.jsonl; echo $? > verify.status
            ls -A volume/L.photolibrary/staging > staging.txt
            """
        let output = try ProcessRunner.run(
            "unshare",
            ["-rm", "/bin/sh", "-c", script, BuiltProducts.photos.path],
            environment: world.environment.mapValues { $0 as String? },
            folder: world.folder.url
        )
        #expect(output.status == 0, "\(output.errorText)")
        func text(_ name: String) throws -> String {
            try String(contentsOf: world.folder.file(name), encoding: .utf8)
        }
        func lines(_ name: String) throws -> [JSONLine] {
            try text(name).split(separator: "\n").map { try JSONLine(String($0)) }
        }
        #expect(try text("import.status") == "1\n")
        #expect(try text("import.txt").hasPrefix("photos: "))
        #expect(try text("import.txt").contains("No space left on device"))
        let told = try lines("import.jsonl")
        #expect(told.count < 150)
        #expect(told.allSatisfy { $0["outcome"] == "imported" })
        let there = Set(try lines("list.jsonl").compactMap { $0["localIdentifier"] })
        #expect(Set(told.compactMap { $0["localIdentifier"] }) == there)
        #expect(try text("verify.status") == "0\n")
        #expect(try text("verify.jsonl") == "")
        #expect(try text("staging.txt") == "")
    }
}
