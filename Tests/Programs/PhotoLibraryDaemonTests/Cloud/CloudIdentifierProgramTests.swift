import Foundation
import Photos
import PhotosManagement
import TestSupport
import Testing

/// Cloud identifiers of one cloud library on several computers.
@Suite(.timeLimit(.minutes(5))) struct CloudIdentifierProgramTests {
    private func library(_ home: DaemonHome) throws -> PHPhotoLibrary {
        try PhotoLibraryBundle.open(at: URL(fileURLWithPath: home.library)).photoLibrary
    }

    private func names(_ home: DaemonHome) throws -> [String] {
        try ["list", "albums"].flatMap { verb in
            try home.succeed(verb, "--json", daemon: "0").split(separator: "\n")
                .map { try CloudHomes.object(String($0)) }
                .filter { ($0["assetCollectionType"] as? String ?? "album") == "album" }
                .map { try #require($0["localIdentifier"] as? String) }
        }
    }

    private func cloudNames(_ home: DaemonHome) throws -> [String: PHCloudIdentifier] {
        try library(home).cloudIdentifierMappings(forLocalIdentifiers: names(home))
            .mapValues { try $0.get() }
    }

    @Test func identifiersAreEqualOnAllComputers() throws {
        let cloud = try CloudHomes(2)
        for (index, files) in [["a.jpg", "b.jpg"], ["x.jpg"]].enumerated() {
            for (number, file) in files.enumerated() {
                // The first file of both has the same bytes.
                try cloud[index].folder.write(
                    DaemonHome.photo(number == 0 ? 1 : 2, side: 64),
                    to: "source/" + file
                )
            }
            try cloud[index].succeed(
                "import",
                cloud[index].folder.file("source").path,
                daemon: "0"
            )
        }
        try cloud[0].succeed("album", "create", "Summer", daemon: "0")
        let before = try [cloudNames(cloud[0]), cloudNames(cloud[1])]
        #expect(before.map(\.count) == [3, 1])
        try cloud.join(with: cloud.create())
        try cloud.sync(rounds: 3)

        let shared = try cloudNames(cloud[0])
        #expect(shared.count == 3)
        #expect(try cloudNames(cloud[1]) == shared)
        #expect(Set(shared.values).isDisjoint(with: before[0].values))
        for (index, home) in cloud.homes.enumerated() {
            let library = try library(home)
            let found = library.localIdentifierMappings(forSynced: Array(shared.values))
            for (name, identifier) in shared { #expect(try found[identifier]?.get() == name) }
            // Those from before joining still answer where they were given out; also that of a
            // photo that became one with the other computer's.
            let former = library.localIdentifierMappings(forSynced: Array(before[index].values))
            for identifier in before[index].values {
                let name = try #require(try former[identifier]?.get())
                #expect(shared[name] != nil)
            }
        }

        // They also survive leaving.
        try cloud[1].succeed("cloud", "leave", daemon: nil)
        let left = try cloudNames(cloud[1])
        #expect(Set(left.keys) == Set(shared.keys))
        #expect(Set(left.values).isDisjoint(with: shared.values))
        let found = try library(cloud[1]).localIdentifierMappings(
            forSynced: Array(shared.values)
        )
        for (name, identifier) in shared { #expect(try found[identifier]?.get() == name) }
    }
}
