import Foundation
import Photos
import PhotosManagement
import Testing

/// Every public property is a key, and an invalid key is named.
@Suite(.timeLimit(.minutes(2))) struct PropertyKeyTests {
    static let rows = [
        ("SELF != nil", "1"), ("localIdentifier BEGINSWITH '0000'", "uuid LIKE '0000%'"),
        ("addedDate > CREATED", "addedDate > \(RowsLibrary.epoch + 300)"),
        ("playbackStyle == 4", "mediaType = 2"), ("playbackVariation == 0", "1"),
        ("sourceType == 1", "sourceType = 1"),
        ("burstSelectionTypes & 1 != 0", "burstSelectionTypes & 1"),
        ("representsBurst == YES", "representsBurst"), ("hasAdjustments == TRUE", "hasAdjustments"),
        ("adjustmentsState == 2", "hasAdjustments"), ("originalResourceChoice == 0", "1"),
        ("adjustmentFormatIdentifier == 'com.example.edit'", "hasAdjustments"),
        ("adjustmentTimestamp != nil", "adjustmentTimestamp IS NOT NULL"),
        ("adjustmentTimestamp == nil", "adjustmentTimestamp IS NULL"),
        ("rating >= 4", "rating >= 4"), ("rating BETWEEN {1, 2}", "rating BETWEEN 1 AND 2"),
        ("contentType == 'public.jpeg'", "contentType = 'public.jpeg'"),
        ("originalFilename LIKE 'IMG_00?5.*'", "originalFilename GLOB 'IMG_00?5.*'"),
        ("filename MATCHES 'IMG_0[0-9]{2}7\\\\.JPG'", "originalFilename GLOB 'IMG_0??7.JPG'"),
        ("filename ENDSWITH[c] '5.jpg'", "originalFilename LIKE '%5.JPG'"),
        ("location != nil", "latitude IS NOT NULL"), ("location == nil", "latitude IS NULL"),
        ("extendedMetadata.caption == 'A caption'", "caption = 'A caption'"),
        ("'sea' IN extendedMetadata.keywords", "keywords LIKE '%sea%'"),
        ("keywords CONTAINS 'sea'", "keywords LIKE '%sea%'"),
        ("hidden == NO AND favorite == YES", "NOT isHidden AND isFavorite"),
        ("mediaSubtypes | 1 == 9", "mediaSubtypes | 1 = 9"),
        ("pixelWidth * pixelHeight > 4000000", "pixelWidth * pixelHeight > 4000000"),
        ("pixelWidth + 1 - pixelHeight / 2 < 100", "pixelWidth + 1 - pixelHeight / 2.0 < 100"),
        ("pixelWidth > pixelHeight", "pixelWidth > pixelHeight"),
        ("100 < pixelWidth", "pixelWidth > 100"), ("TRUEPREDICATE", "1"), ("FALSEPREDICATE", "0"),
        ("mediaType IN {}", "0"), ("NOT (mediaType IN {})", "1"),
    ]

    @Test(arguments: rows) func keyIsAnswered(_ format: String, _ sql: String) throws {
        let library = try RowsLibrary.shared.get()
        let format = format.replacingOccurrences(
            of: "CREATED",
            with: "%@"
        )
        let date = Date(timeIntervalSinceReferenceDate: RowsLibrary.epoch + 300)
        let expected = try library.identifiers(where: "isVisible = 1 AND (\(sql))")
        let found = try library.fetch(NSPredicate(format: format, date))
        #expect(found.map(\.localIdentifier) == expected)
    }

    @Test func textsCompareWithoutCaseAndMarks() throws {
        let library = try RowsLibrary.shared.get()
        let expected = try library.identifiers(where: "isVisible = 1 AND title = 'Été 4'")
        #expect(!expected.isEmpty)
        for format in ["title == 'Été 4'", "title ==[cd] 'ETE 4'", "title CONTAINS[cd] 'te 4'"] {
            let found = try library.fetch(NSPredicate(format: format))
            #expect(found.map(\.localIdentifier) == expected, "\(format)")
        }
        #expect(try library.fetch(NSPredicate(format: "title == 'ete 4'")).isEmpty)
        #expect(try library.fetch(NSPredicate(format: "title ==[c] 'ete 4'")).isEmpty)
    }

    @Test func objectsCompareByIdentity() throws {
        let library = try RowsLibrary.shared.get()
        let assets = try library.fetch()
        let (first, second) = (assets[3], assets[77])
        #expect(try library.fetch(NSPredicate(format: "SELF == %@", first)) == [first])
        #expect(try library.fetch(NSPredicate(format: "SELF IN %@", [first, second])).count == 2)
        #expect(
            try library.fetch(NSPredicate(format: "SELF != %@", first)).count == assets.count - 1
        )
        let result = try library.bundle.fetchAssets(with: nil)
        #expect(try library.fetch(NSPredicate(format: "NOT SELF IN %@", result)).isEmpty)
    }

    @Test(arguments: [
        ("colour == 1", "colour"), ("mediaType == 1 AND shape == 2", "shape"),
        ("creationdate > 5", "creationdate"), ("localizedTitle == 'a'", "localizedTitle"),
    ])
    func unknownKeyIsNamedAndFetchesNothing(_ format: String, _ key: String) throws {
        let library = try RowsLibrary.shared.get()
        let options = PHFetchOptions()
        options.predicate = NSPredicate(format: format)
        #expect(library.bundle.using { PHAsset.fetchAssets(with: options).count } == 0)
        let error = #expect(throws: PHPhotosError.self) {
            try library.bundle.fetchAssets(with: options)
        }
        #expect(error?.localizedDescription.contains(key) == true)
        let position = try #require(format.range(of: key)).lowerBound
        let offset = format.distance(from: format.startIndex, to: position)
        #expect("\(try #require(error))".contains("\(offset)"))
    }

    @Test func malformedFormatIsNamedWithItsPosition() throws {
        let library = try RowsLibrary.shared.get()
        let options = PHFetchOptions()
        options.predicate = NSPredicate(format: "mediaType === 1")
        #expect(library.bundle.using { PHAsset.fetchAssets(with: options).count } == 0)
        let error = #expect(throws: PHPhotosError.self) {
            try library.bundle.fetchAssets(with: options)
        }
        #expect(error?.localizedDescription.contains("position 12") == true)
        #expect(LibraryFailure(try #require(error)).kind == .malformedPredicate)
    }

    @Test func sortKeysAreAnsweredOrNamed() throws {
        let library = try RowsLibrary.shared.get()
        for key in [
            "creationDate", "modificationDate", "addedDate", "mediaType", "mediaSubtypes",
            "duration", "pixelWidth", "pixelHeight", "isFavorite", "favorite", "isHidden", "hidden",
            "localIdentifier", "rating", "burstIdentifier", "originalFilename", "title",
        ] {
            let sort = NSSortDescriptor(key: key, ascending: false)
            #expect(try library.fetch(sort: [sort]).count == library.fetch().count, "\(key)")
        }
        let options = PHFetchOptions()
        options.sortDescriptors = [NSSortDescriptor(key: "colour", ascending: true)]
        #expect(library.bundle.using { PHAsset.fetchAssets(with: options).count } == 0)
        let error = #expect(throws: PHPhotosError.self) {
            try library.bundle.fetchAssets(with: options)
        }
        #expect(error?.localizedDescription.contains("colour") == true)
        #expect(LibraryFailure(try #require(error)).kind == .unsupportedSortKey)
    }
}
