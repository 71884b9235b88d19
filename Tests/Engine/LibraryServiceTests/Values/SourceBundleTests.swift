import Foundation
import Glibc
import LibraryService
import TestSupport
import Testing

/// Folders that are libraries of this and of other programs.
@Suite(.timeLimit(.minutes(1))) struct SourceBundleTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("photos-bundles") }

    private func reason(_ name: String, _ files: [String: String]) throws -> String? {
        let place = try folder.folder(name)
        for (file, text) in files { try folder.write(Data(text.utf8), to: "\(name)/\(file)") }
        let descriptor = Descriptor(owning: open(place.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        return SourceBundle.reason(against: Array(name.utf8), folder: descriptor)
    }

    private static let list = #"{"kind":"library","version":1}"# + "\n{}\n"

    @Test(
        arguments: [
            ("Plain", ["a.jpg": ""]), ("photolibrary", [:]), ("A.photolibrary.bak", ["a.jpg": ""]),
            ("Empty", [:]), ("Data", ["database/other.sqlite": ""]),
            ("Lists", ["library.jsonl": "{\"kind\":\"album\"}\n{\"kind\":\"library\"}\n"]),
            ("Text", ["library.jsonl": "\"kind\":\"library\"\n"]), ("None", ["library.jsonl": ""]),
        ] as [(String, [String: String])]
    )
    func ordinaryFoldersAreEntered(_ name: String, _ files: [String: String]) throws {
        #expect(try reason(name, files) == nil)
    }

    @Test(
        arguments: [
            ("A.photolibrary", [:]), ("B.PhotoLibrary", [:]),
            ("renamed", ["database/library.sqlite": ""]),
        ] as [(String, [String: String])]
    )
    func librariesAreRecognized(_ name: String, _ files: [String: String]) throws {
        #expect(try reason(name, files) == "It is a photo library.")
    }

    /// What can be imported as a whole says how.
    @Test(
        arguments: [
            ("C.photoslibrary", [:], "Apple Photos"), ("D.PHOTOSLIBRARY", [:], "Apple Photos"),
            ("renamed", ["database/Photos.sqlite": ""], "Apple Photos"),
            ("older", ["database/photos.db": ""], "Apple Photos"),
            (
                "iPhoto Library.photolibrary", ["Database/apdb/Library.apdb": ""],
                "iPhoto or Aperture"
            ),
            ("export", ["library.jsonl": list], "export"),
            ("large", [".photos-export/library": "", "library.jsonl": "x"], "export"),
        ] as [(String, [String: String], String)]
    )
    func importableLibrariesSayHow(
        _ name: String,
        _ files: [String: String],
        _ kind: String
    ) throws {
        let reason = try #require(try reason(name, files))
        #expect(reason.contains(kind) && reason.contains("photos import PATH"))
    }

    /// A program without a standard input gives its number to the list of an export.
    @Test func exportsAreRecognizedWithoutAStandardInput() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder("photos-bundles")
            try folder.write(Data(#"{"kind":"library"}"#.utf8), to: "library.jsonl")
            let number = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            let descriptor = Descriptor(owning: number)
            close(STDIN_FILENO)
            let reason = SourceBundle.reason(against: Array("a".utf8), folder: descriptor)
            #expect(reason?.contains("export") == true)
        }
    }

    /// Of these, only the folder of originals can be imported.
    @Test(arguments: [
        ("Old iPhoto", "AlbumData.xml", "Originals"),
        ("Old.aplibrary", "Aperture.aplib/Library.apdb", "Masters"),
    ])
    func olderLibrariesNameTheirOriginals(
        _ name: String,
        _ file: String,
        _ originals: String
    ) throws {
        let reason = try #require(try reason(name, [file: ""]))
        #expect(reason.contains("the folder \(originals) in it"))
    }

    /// A link or a pipe in place of the list must not lead elsewhere or block.
    @Test func onlyAPlainFileIsAList() throws {
        let list = try folder.write(Data(Self.list.utf8), to: "elsewhere.jsonl")
        let linked = try folder.folder("linked")
        try FileManager.default.createSymbolicLink(
            at: linked.appendingPathComponent("library.jsonl"),
            withDestinationURL: list
        )
        #expect(try reason("linked", [:]) == nil)
        let piped = try folder.folder("piped")
        #expect(mkfifo(piped.appendingPathComponent("library.jsonl").path, 0o600) == 0)
        #expect(try reason("piped", [:]) == nil)
    }

    /// The first line is enough, and a longer one is only read in part.
    @Test func theFirstLineTellsAnExport() throws {
        let spaces = String(repeating: " ", count: 5_000)
        for (text, isList) in [
            (Self.list, true), (#"{"version":1,"kind":"library"}"#, true), ("", false),
            ("[\"kind\":\"library\"", false), ("{\(spaces)\"kind\":\"library\"}", false),
        ] {
            let path = try folder.write(Data(text.utf8), to: "list").path
            let file = Descriptor(owning: open(path, O_RDONLY | O_CLOEXEC))
            #expect(SourceBundle.isExportList(file.number) == isList, "\(text.prefix(40))")
        }
        let closed = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        let descriptor = Descriptor(owning: closed)
        #expect(!SourceBundle.isExportList(descriptor.number))
    }
}
