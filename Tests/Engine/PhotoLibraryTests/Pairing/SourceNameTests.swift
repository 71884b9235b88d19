import PhotoLibrary
import Testing

@Suite(.timeLimit(.minutes(2))) struct SourceNameTests {
    private func name(_ path: String) -> SourceName { SourceName(path: Array(path.utf8)) }

    @Test("Files that a camera made together have one stem, those of other folders do not")
    func comparesStems() {
        #expect(name("/a/IMG_1.JPG").stemKey == name("/a/img_1.dng").stemKey)
        #expect(name("/a/IMG_1.JPG").stemKey != name("/A/IMG_1.JPG").stemKey)
        #expect(name("/a/IMG_1.JPG").stemKey != name("/a/IMG_10.JPG").stemKey)
        #expect(name("/a/.hidden").stemKey != name("/a/").stemKey)
    }

    @Test("Bytes that are not UTF-8 keep files apart")
    func keepsBytes() {
        let first = SourceName(path: [0x2F, 0xFF, 0x2E, 0x6A])
        let second = SourceName(path: [0x2F, 0xFE, 0x2E, 0x6A])
        #expect(first.text == second.text)
        #expect(first.stemKey != second.stemKey)
    }

    @Test("Extensions are what follows the last dot")
    func readsExtensions() {
        #expect(name("/a/double.ext.HEIC.jpg").pathExtension == "jpg")
        #expect(name("/a/.jpg").pathExtension == "")
        #expect(name("/a.b/none").pathExtension == "")
    }

    @Test("Names of rendered edits lead to their originals")
    func findsOriginals() {
        let key = Array("/a/img_1853".utf8)
        #expect(name("/a/IMG_E1853.HEIC").originalStemKey == key)
        #expect(name("/a/img_e1853.mov").originalStemKey == key)
        #expect(name("/a/IMG_1853_edited.jpg").originalStemKey == key)
        for other in ["IMG_1853.HEIC", "IMG_EAST.JPG", "IMG_E185.JPG", "_edited.jpg", "E1853.jpg"] {
            #expect(name("/a/" + other).originalStemKey == nil, "\(other)")
        }
    }

    @Test("Sidecars name their assets in three ways")
    func findsSidecarAssets() {
        #expect(name("/a/IMG_1853.AAE").sidecarKeys.map(\.stemKey) == [Array("/a/img_1853".utf8)])
        #expect(
            name("/a/IMG_O5747.aae").sidecarKeys.map(\.stemKey) == [
                Array("/a/img_o5747".utf8), Array("/a/img_5747".utf8),
            ]
        )
        #expect(name("/a/IMG_O5747.aae").namesOriginalAdjustments)
        #expect(!name("/a/IMG_OLD.aae").namesOriginalAdjustments)
        let keys = name("/a/Name.JPG.xmp").sidecarKeys
        #expect(keys.first?.stemKey == Array("/a/name".utf8))
        #expect(keys.first?.name == Array("name.jpg".utf8))
        #expect(keys.last?.stemKey == Array("/a/name.jpg".utf8))
        #expect(keys.last?.name == nil)
    }
}
