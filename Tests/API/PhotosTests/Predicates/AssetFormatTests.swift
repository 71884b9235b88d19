import Foundation
import Photos
import Testing

/// The formats that published programs fetch assets with, each compared with plain SQL.
///
/// The numbers are those of the catalog of formats; 13, 14 and 47 need `#keyPath`, which Linux
/// lacks.
@Suite(.timeLimit(.minutes(2))) struct AssetFormatTests {
    struct Form: Sendable, CustomTestStringConvertible {
        let number: Int
        let sql: String
        let predicate: @Sendable () -> NSPredicate

        init(_ number: Int, _ sql: String, _ predicate: @escaping @Sendable () -> NSPredicate) {
            self.number = number
            self.sql = sql
            self.predicate = predicate
        }

        var testDescription: String { "\(number): \(sql)" }
    }

    private static let image = PHAssetMediaType.image.rawValue
    private static let video = PHAssetMediaType.video.rawValue
    private static let live = PHAssetMediaSubtype.photoLive.rawValue
    private static let panorama = PHAssetMediaSubtype.photoPanorama.rawValue
    private static let day = RowsLibrary.date(100)
    private static let later = RowsLibrary.date(200)
    private static let daySQL = "\(RowsLibrary.epoch + 100 * 86_400)"
    private static let laterSQL = "\(RowsLibrary.epoch + 200 * 86_400)"
    private static let name = "00003DDE-0000-4000-8000-000000000002/L0/001"
    private static let other = "0000F778-0000-4000-8000-000000000008/L0/001"
    private static let nameSQL = "uuid = '00003DDE-0000-4000-8000-000000000002'"

    static let types = [
        Form(1, "mediaType = 1") { NSPredicate(format: "mediaType = %d", image) },
        Form(2, "mediaType = 2") { NSPredicate(format: "mediaType == %d", video) },
        Form(3, "mediaType = 1") { NSPredicate(format: "mediaType == %ld", image) },
        Form(4, "mediaType = 2") { NSPredicate(format: "mediaType = %ld", video) },
        Form(5, "mediaType = 1") { NSPredicate(format: "mediaType = %i", image) },
        Form(6, "mediaType = 2") { NSPredicate(format: "mediaType == %i", video) },
        Form(7, "mediaType = 1") { NSPredicate(format: "mediaType=%d", image) },
        Form(8, "mediaType = 2") { NSPredicate(format: "mediaType = \(video)") },
        Form(9, "mediaType = 1") { NSPredicate(format: "(mediaType == %d)", image) },
        Form(10, "mediaType = 2") { NSPredicate(format: "(mediaType == %ld)", video) },
        Form(11, "mediaType <> 1") { NSPredicate(format: "mediaType != %i", image) },
        Form(12, "mediaType = 2") { NSPredicate(format: "%K == %d", "mediaType", video) },
        Form(15, "mediaType IN (1, 2)") {
            NSPredicate(format: "mediaType == %d || mediaType == %d", image, video)
        },
        Form(16, "mediaType IN (2, 3)") {
            NSPredicate(format: "mediaType = %d || mediaType = %d", video, 3)
        },
        Form(17, "mediaType IN (1, 3)") {
            NSPredicate(format: "mediaType = %d OR mediaType = %d", image, 3)
        },
        Form(18, "mediaType IN (1, 2)") {
            NSPredicate(format: "mediaType == %d OR mediaType == %d", image, video)
        },
        Form(19, "mediaType IN (2, 3)") {
            NSPredicate(
                format: "(mediaType == %d) || (mediaType == %d)",
                argumentArray: [video, 3]
            )
        },
        Form(20, "mediaType IN (1, 3)") {
            NSPredicate(format: "(mediaType = %d OR mediaType = %d)", argumentArray: [image, 3])
        },
        Form(21, "mediaType IN (2)") { NSPredicate(format: "mediaType IN %@", [video]) },
        Form(22, "mediaType IN (1, 2)") { NSPredicate(format: "mediaType in %@", [image, video]) },
        Form(23, "mediaType IN (2, 3)") { NSPredicate(format: "mediaType in (%d,%d)", video, 3) },
        Form(24, "mediaType IN (1, 2) AND creationDate >= \(daySQL)") {
            NSPredicate(
                format: "mediaType IN %@ AND creationDate >= %@",
                [image, video],
                day as NSDate
            )
        },
    ]

    static let subtypes = [
        Form(25, "mediaSubtypes & 8 <> 0") {
            NSPredicate(format: "(mediaSubtype & %d) != 0", live)
        },
        Form(26, "mediaSubtypes & 1 <> 0") {
            NSPredicate(format: "(mediaSubtypes & %d) != 0", panorama)
        },
        Form(27, "mediaSubtypes & 9 <> 0") {
            NSPredicate(
                format: "(mediaSubtypes & %d) != 0 || (mediaSubtypes & %d) != 0",
                live,
                panorama
            )
        },
        Form(28, "mediaSubtypes & 8 <> 0") { NSPredicate(format: "mediaSubtypes & %d != 0", live) },
        Form(29, "mediaSubtypes & 8 = 0") { NSPredicate(format: "mediaSubtypes & %d == 0", live) },
        Form(30, "mediaSubtypes & 8 = 0") {
            NSPredicate(format: "(mediaSubtype & %d) == 0", live)
        },
        Form(31, "mediaSubtypes & 10 = 10") {
            NSPredicate(format: "((mediaSubtype & %d) == %d)", 10, 10)
        },
        Form(32, "mediaSubtypes = 8") { NSPredicate(format: "mediaSubtype == %d", live) },
        Form(33, "mediaSubtypes = 10") { NSPredicate(format: "mediaSubtype = %d", 10) },
        Form(34, "mediaSubtypes & 8 = 0") {
            NSPredicate(format: "NOT ((mediaSubtype & %d) != 0)", live)
        },
        Form(35, "mediaSubtypes & 8 = 8") {
            NSPredicate(format: "( ( mediaSubtype & 8 ) == 8 )")
        },
        Form(36, "mediaSubtypes & 8 <> 8") {
            NSPredicate(format: "NOT ( ( mediaSubtype & 8 ) == 8 )")
        },
        Form(37, "mediaType = 1 AND mediaSubtypes & 8 = 8") {
            NSPredicate(
                format: "(mediaType == %d) AND ((mediaSubtype & %d) == %d)",
                image,
                live,
                live
            )
        },
        Form(38, "mediaType = 1 AND mediaSubtypes & 8 <> 8") {
            NSPredicate(
                format: "(mediaType == %d) AND !((mediaSubtype & %d) == %d)",
                image,
                live,
                live
            )
        },
        Form(39, "mediaType = 2 AND mediaSubtypes & 131072 = 0") {
            NSPredicate(
                format: "mediaType == %d AND NOT ((mediaSubtypes & %d) != 0)",
                video,
                PHAssetMediaSubtype.videoHighFrameRate.rawValue
            )
        },
    ]

    static let dates = [
        Form(40, "creationDate > \(daySQL)") {
            NSPredicate(format: "creationDate > %@", day as NSDate)
        },
        Form(41, "creationDate >= \(daySQL)") {
            NSPredicate(format: "creationDate >= %@", day as any CVarArg)
        },
        Form(42, "creationDate >= \(daySQL)") {
            NSPredicate(format: "(creationDate >= %@)", day as NSDate)
        },
        Form(43, "creationDate < \(daySQL)") { NSPredicate(format: "creationDate < %@", day) },
        Form(44, "creationDate <= \(daySQL)") {
            NSPredicate(format: "creationDate <= %@", day as NSDate)
        },
        Form(45, "creationDate = \(daySQL)") {
            NSPredicate(format: "creationDate = %@", day as NSDate)
        },
        Form(46, "modificationDate = \(daySQL)") {
            NSPredicate(format: "modificationDate = %@", day as NSDate)
        },
        Form(48, "creationDate > \(daySQL) AND creationDate < \(laterSQL)") {
            NSPredicate(
                format: "creationDate > %@ AND creationDate < %@",
                day as NSDate,
                later as NSDate
            )
        },
        Form(49, "creationDate > \(daySQL) AND creationDate < \(laterSQL)") {
            NSPredicate(
                format: "creationDate > %@ && creationDate < %@",
                day as any CVarArg,
                later as any CVarArg
            )
        },
        Form(50, "creationDate >= \(daySQL) AND creationDate < \(laterSQL)") {
            NSPredicate(format: "creationDate >= %@ AND creationDate < %@", day, later)
        },
        Form(51, "creationDate BETWEEN \(daySQL) AND \(laterSQL)") {
            NSPredicate(format: "creationDate >= %@ AND creationDate <= %@", day, later)
        },
        Form(52, "creationDate > \(daySQL) AND creationDate < \(laterSQL) AND mediaType = 2") {
            NSPredicate(
                format: "creationDate > %@ AND creationDate < %@ AND mediaType = %d",
                day,
                later,
                video
            )
        },
        Form(53, "creationDate >= \(daySQL) AND creationDate < \(laterSQL) AND mediaType = 1") {
            NSPredicate(
                format: "creationDate => %@ AND creationDate < %@ && mediaType == %ld",
                day,
                later,
                image
            )
        },
        Form(54, "creationDate > \(daySQL) OR modificationDate > \(laterSQL)") {
            NSPredicate(format: "creationDate > %@ OR modificationDate > %@", day, later)
        },
        Form(55, "creationDate >= \(laterSQL) OR modificationDate >= \(laterSQL)") {
            NSPredicate(format: "creationDate >= %@ OR modificationDate >= %@", later, later)
        },
        Form(
            56,
            "creationDate > \(laterSQL) OR (modificationDate > \(laterSQL) "
                + "AND creationDate > \(daySQL))"
        ) {
            NSPredicate(
                format: "creationDate > %@ OR (modificationDate > %@ AND creationDate > %@)",
                later,
                later,
                day
            )
        },
        Form(76, "creationDate BETWEEN \(daySQL) AND \(laterSQL)") {
            NSPredicate(format: "creationDate BETWEEN {%@, %@}", day as NSDate, later as NSDate)
        },
    ]

    static let facts = [
        Form(57, "duration < 12.5") { NSPredicate(format: "duration < %f", 12.5) },
        Form(58, "duration = 0") { NSPredicate(format: "duration = %d", 0) },
        Form(59, "duration BETWEEN 5.5 AND 40") {
            NSPredicate(format: "duration >= %f AND duration <= %f", 5.5, 40.0)
        },
        Form(60, "duration BETWEEN 5.5 AND 40") {
            NSPredicate(
                format: "( duration == nil OR ( duration >= %f AND duration <= %f ) )",
                5.5,
                40.0
            )
        },
        Form(61, "pixelWidth BETWEEN 500 AND 3000 AND pixelHeight BETWEEN 300 AND 2000") {
            NSPredicate(
                format: "pixelWidth >=%d AND pixelWidth <=%d AND pixelHeight >=%d "
                    + "AND pixelHeight <=%d",
                500,
                3000,
                300,
                2000
            )
        },
        Form(62, "pixelWidth = 211") { NSPredicate(format: "pixelWidth = %i", 211) },
        Form(63, "pixelHeight = 259") { NSPredicate(format: "pixelHeight = %i", 259) },
        Form(64, "isFavorite = 1") { NSPredicate(format: "favorite == YES") },
        Form(65, "isFavorite = 1") { NSPredicate(format: "isFavorite == YES") },
        Form(66, "isFavorite = 1") { NSPredicate(format: "isFavorite = true") },
        Form(67, "isFavorite = 0") {
            NSPredicate(format: "isFavorite = %@", NSNumber(value: false))
        },
        Form(68, "isHidden = 0") { NSPredicate(format: "isHidden = %@", NSNumber(value: false)) },
        Form(69, "burstIdentifier = 'burst-3'") {
            NSPredicate(format: "burstIdentifier = %@", "burst-3")
        },
        Form(70, "burstIdentifier IS NOT NULL") { NSPredicate(format: "burstIdentifier != nil") },
        Form(71, nameSQL) { NSPredicate(format: "localIdentifier = %@", name) },
        Form(72, nameSQL) { NSPredicate(format: "localIdentifier == %@", name) },
        Form(73, nameSQL) { NSPredicate(format: "(localIdentifier == %@)", name) },
        Form(74, nameSQL) {
            NSPredicate(format: "localIdentifier ==[cd] %@", name.lowercased())
        },
        Form(75, "\(nameSQL) OR uuid LIKE '%000000000008'") {
            NSPredicate(format: "localIdentifier IN %@", [name, other, "unknown"])
        },
    ]

    private static let hiddenToo = "trashedDate IS NULL AND sourceType = 1 AND isBurstHidden = 0"

    @Test(arguments: types + subtypes + dates + facts)
    func formatFindsWhatSQLFinds(_ form: Form) throws {
        let library = try RowsLibrary.shared.get()
        let expected = try library.identifiers(where: "isVisible = 1 AND (\(form.sql))")
        #expect(try library.fetch(form.predicate()).map(\.localIdentifier) == expected)
        // Hidden assets by the same rule.
        let all = try library.identifiers(where: "\(Self.hiddenToo) AND (\(form.sql))")
        let found = try library.fetch(form.predicate()) { $0.includeHiddenAssets = true }
        #expect(found.map(\.localIdentifier) == all)
        #expect(!all.isEmpty)
    }

    /// Every asset that is not hidden; read once, since the library does not change.
    private static let all = Result { try RowsLibrary.shared.get().fetch() }

    private static let undated = Result {
        Set(
            try RowsLibrary.shared.get()
                .identifiers(where: "isVisible = 1 AND creationDate IS NULL")
        )
    }

    @Test(arguments: types + subtypes + dates + facts)
    func negationFindsTheRest(_ form: Form) throws {
        let library = try RowsLibrary.shared.get()
        let not = NSCompoundPredicate(notPredicateWithSubpredicate: form.predicate())
        let all = Set(try Self.all.get().map(\.localIdentifier))
        let yes = Set(try library.fetch(form.predicate()).map(\.localIdentifier))
        let no = Set(try library.fetch(not).map(\.localIdentifier))
        #expect(yes.isDisjoint(with: no))
        // A missing date is neither before nor after another.
        #expect(all.subtracting(yes).subtracting(no).isSubset(of: try Self.undated.get()))
    }

    @Test(arguments: types + subtypes + dates + facts)
    func evaluatingGivesTheFetchsAnswer(_ form: Form) throws {
        let library = try RowsLibrary.shared.get()
        let predicate = form.predicate()
        let matches = Set(try library.fetch(predicate).map(\.localIdentifier))
        for asset in try Self.all.get().prefix(40) {
            #expect(predicate.evaluate(with: asset) == matches.contains(asset.localIdentifier))
        }
    }

    @Test func everyNumberHasItsForm() {
        let numbers = (Self.types + Self.subtypes + Self.dates + Self.facts).map(\.number)
        #expect(Set(numbers) == Set(1...76).subtracting([13, 14, 47]))
        #expect(numbers.count == Set(numbers).count)
    }

    @Test func valuesOfPlaceholdersNestedByAPlugin() throws {
        let library = try RowsLibrary.shared.get()
        let predicate = NSPredicate(
            format:
                "(( mediaType == %d AND pixelWidth >=%d ) OR ( mediaType == %d AND duration >= %f ))"
                + " AND ( creationDate >= %@ AND creationDate <= %@ )",
            argumentArray: [Self.image, 2000, Self.video, 30.0, Self.day, Self.later]
        )
        let expected = try library.identifiers(
            where: "isVisible = 1 AND ((mediaType = 1 AND pixelWidth >= 2000) "
                + "OR (mediaType = 2 AND duration >= 30)) "
                + "AND creationDate BETWEEN \(Self.daySQL) AND \(Self.laterSQL)"
        )
        #expect(!expected.isEmpty)
        #expect(try library.fetch(predicate).map(\.localIdentifier) == expected)
    }
}
