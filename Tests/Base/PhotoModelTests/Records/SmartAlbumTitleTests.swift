import PhotoModel
import Testing

@Suite(.timeLimit(.minutes(2))) struct SmartAlbumTitleTests {
    @Test("Every smart album has a title in every language, and no two have the same one")
    func titles() {
        for language in SmartAlbum.Language.allCases {
            let titles = SmartAlbum.allCases.map { $0.title(in: language) }
            #expect(titles.allSatisfy { !$0.isEmpty })
            #expect(Set(titles).count == titles.count, "\(language)")
        }
        #expect(SmartAlbum.favorites.title(in: .english) == "Favorites")
        #expect(SmartAlbum.favorites.title(in: .german) == "Favoriten")
        #expect(SmartAlbum.videos.title(in: .chinese) == "视频")
    }

    @Test(
        "The language is the one that the user's locale names",
        arguments: [
            (["LANG": "de_AT.UTF-8"], .german),
            (["LANG": "de_DE.UTF-8", "LC_MESSAGES": "es_ES"], .spanish),
            (["LANG": "de_DE.UTF-8", "LC_MESSAGES": "es_ES", "LC_ALL": "it"], .italian),
            (["LC_ALL": "", "LANG": "ru_RU"], .russian),
            (["LANG": "zh_CN.UTF-8"], .chinese),
            (["LANG": "C.UTF-8"], .english),
            (["LANG": "fr_FR.UTF-8"], .english),
            ([:], .english),
        ] as [([String: String], SmartAlbum.Language)]
    )
    func language(environment: [String: String], expected: SmartAlbum.Language) {
        #expect(SmartAlbum.Language.ofUser { environment[$0] } == expected)
    }

    @Test("Identifiers and row ids lead back to their album, and to no other")
    func identifiers() {
        for album in SmartAlbum.allCases {
            #expect(SmartAlbum(uuid: album.uuid) == album)
            #expect(SmartAlbum(rowID: album.rowID) == album)
            #expect(LocalIdentifier(album.uuid + "/L0/040")?.uuid == album.uuid)
        }
        #expect(Set(SmartAlbum.allCases.map(\.uuid)).count == SmartAlbum.allCases.count)
        for uuid in [CollectionRecord.rootUUID, "", "203", SmartAlbum.videos.uuid + "0"] {
            #expect(SmartAlbum(uuid: uuid) == nil)
        }
        for id in [0, 203, Int64.min, Int64.max, -200] { #expect(SmartAlbum(rowID: id) == nil) }
    }
}
