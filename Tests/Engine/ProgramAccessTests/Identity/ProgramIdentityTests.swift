import Foundation
import LibraryService
import ProgramAccess
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct ProgramIdentityTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("photos-identity")
    }

    private func made(_ plist: [String: Any]? = nil, flatpak: String? = nil) throws
        -> ProgramIdentity
    {
        if let plist {
            let data = try PropertyListSerialization.data(
                fromPropertyList: plist,
                format: .xml,
                options: 0
            )
            try folder.write(data, to: "Info.plist")
        }
        return ProgramIdentity(
            executable: folder.file("frames").path,
            flatpakInformation: flatpak.map { Data($0.utf8) }
        )
    }

    @Test func withoutAnythingElseItIsThePath() throws {
        let identity = try made()
        #expect(identity.identifier == folder.file("frames").path)
        #expect(identity.name == "frames")
        #expect(identity.usage == nil)
        #expect(identity.firstLevel == .readWrite)
    }

    @Test func theInformationBesideTheExecutableCounts() throws {
        let identity = try made([
            "CFBundleIdentifier": "org.example.Frames", "CFBundleName": "Frames",
            "NSPhotoLibraryUsageDescription": "Shows your photos.",
        ])
        #expect(identity.identifier == "org.example.Frames")
        #expect(identity.name == "Frames")
        #expect(identity.reason(for: .readWrite) == "Shows your photos.")
        #expect(identity.firstLevel == .readWrite)
    }

    /// Behavior 11.
    @Test func whoOnlyAddsAsksForNoMore() throws {
        let identity = try made(["NSPhotoLibraryAddUsageDescription": "Keeps your scans."])
        #expect(identity.firstLevel == .addOnly)
        #expect(identity.reason(for: .addOnly) == "Keeps your scans.")
        #expect(identity.reason(for: .readWrite) == nil)
    }

    /// `/usr/bin/Info.plist` would name every program in that folder.
    @Test func theInformationOfAnotherExecutableDoesNotCount() throws {
        let identity = try made([
            "CFBundleIdentifier": "org.example.Other", "CFBundleExecutable": "other",
        ])
        #expect(identity.identifier == folder.file("frames").path)
    }

    @Test(arguments: ["not a list", "", "<plist></plist>"])
    func brokenInformationIsNone(_ text: String) throws {
        try folder.write(Data(text.utf8), to: "Info.plist")
        #expect(try made().identifier == folder.file("frames").path)
    }

    @Test func flatpaksAreKnownByTheirOwnName() throws {
        let text = "[Context]\nname=wrong\n[Application]\nname=org.example.Pak\nruntime=r\n"
        let identity = try made(["CFBundleIdentifier": "org.example.Frames"], flatpak: text)
        #expect(identity.identifier == "org.example.Pak")
        #expect(try made(flatpak: "[Application]\nname=\n").identifier != "")
    }

    @Test func wordsAreSafe() {
        let identity = ProgramIdentity(identifier: "/opt/it's here/x\u{1B}[2J", name: "a\u{202E}b")
        #expect(!identity.quotedName.unicodeScalars.contains("\u{202E}"))
        #expect(identity.shellWord.hasPrefix("'/opt/it'\\''s here/x"))
        #expect(!identity.shellWord.unicodeScalars.contains("\u{1B}"))
        #expect(ProgramIdentity(identifier: "org.example.A").shellWord == "org.example.A")
    }
}
