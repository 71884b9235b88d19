import PhotosJSON
import PhotosManagement
import Testing

/// Advice about exports of Google Photos that were imported as plain files.
@Suite(.timeLimit(.minutes(1))) struct TakeoutHintTests {
    private func hint(_ paths: [String], kind: FileOutcome.Kind = .unsupported) -> TakeoutHint {
        var hint = TakeoutHint()
        for path in paths { hint.add(FileOutcome(path: SourcePath(path), kind: kind)) }
        return hint
    }

    private static let names = [
        "a.jpg.json", "b.HEIC.supplemental-metadata.json", "c.mp4.supplem.json", "d.jpg(1).json",
    ]

    @Test func descriptionsOfAnExportAreNoticed() throws {
        let paths = Self.names.map { "/disk/old/Takeout/Google Photos/Trip/" + $0 }
        let text = try #require(hint(paths).text([SourcePath("/disk")]))
        #expect(text.hasPrefix("4 JSON files"))
        // The folder of the export itself, wherever its files are in it.
        #expect(text.hasSuffix("photos import '/disk/old/Takeout'"))
    }

    /// A folder above what was imported may have such a name, too.
    @Test func aFolderAboveTheImportedOneIsNotAdvised() throws {
        let paths = Self.names.map { "/home/takeouts/2019/a/Takeout/Google Photos/Trip/" + $0 }
        let text = try #require(hint(paths).text([SourcePath("/home/takeouts/2019")]))
        #expect(text.hasSuffix("photos import '/home/takeouts/2019/a/Takeout'"))
        let other = Self.names.map { "/home/takeouts/2019/a/" + $0 }
        let last = try #require(hint(other).text([SourcePath("/home/takeouts/2019")]))
        #expect(last.hasSuffix("photos import '/home/takeouts/2019/a'"))
    }

    @Test func theFolderContainsAllDescriptions() throws {
        let paths = ["/d/x/2019/a.jpg.json", "/d/x/2020/b.jpg.json", "/d/x/2020/c.jpg.json"]
        #expect(try #require(hint(paths).text([])).hasSuffix("photos import '/d/x'"))
    }

    /// What was imported by its own path and is no export would be none again.
    @Test func thePathThatWasImportedIsNotAdvised() {
        let paths = Self.names.map { "/d/x/" + $0 }
        #expect(hint(paths).text([SourcePath("/d/x")]) == nil)
        #expect(hint(paths).text([SourcePath("/d/./x/")]) == nil)
        #expect(hint(paths).text([SourcePath("/d")]) != nil)
    }

    @Test(arguments: [
        ["/d/a.jpg.json", "/d/b.jpg.json"],
        ["/d/a.json", "/d/b.json", "/d/package.json", "/d/c.txt.json"],
        ["/d/a.jpg", "/d/b.jpg", "/d/c.jpg"], ["/a.jpg.json", "/b.jpg.json", "/c.jpg.json"],
        ["/x/a.jpg.json", "/y/b.jpg.json", "/z/c.jpg.json"],
    ])
    func otherFilesAreNoExport(_ paths: [String]) { #expect(hint(paths).text([]) == nil) }

    @Test func importedFilesAndItemsOfExportsDoNotCount() {
        let paths = Self.names.map { "/d/x/" + $0 }
        #expect(hint(paths, kind: .imported).text([]) == nil)
        var hint = TakeoutHint()
        for path in paths {
            let source = FileOutcome.Source(kind: .takeout, item: path)
            hint.add(FileOutcome(path: SourcePath(path), kind: .unsupported, source: source))
        }
        #expect(hint.text([]) == nil)
    }
}
