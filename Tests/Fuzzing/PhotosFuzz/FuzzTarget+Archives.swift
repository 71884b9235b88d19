import CLinuxShim
import Foundation
import Glibc
@testable import Media
import PhotoModel
import WorkerProtocol

/// The worker's parsers of exports: archives, and the JSON files in them.
extension FuzzTarget {
    static let archives: [FuzzTarget] = [
        FuzzTarget("archive", "ZIP and compressed tape archives", seeds: archiveBytes) { bytes in
            guard let descriptor = memoryFile(bytes) else { return }
            defer { close(descriptor) }
            list(descriptor)
        },
        FuzzTarget("takeout", "JSON files of Google Takeout", seeds: descriptions) { bytes in
            guard case .facts(let facts) = TakeoutReader.read(bytes) else { return }
            precondition(facts.people.count <= TakeoutFacts.maximumPeople)
            precondition((facts.caption?.utf8.count ?? 0) <= Text.limitInBytes)
        },
        FuzzTarget("export", "lines of an export's library.jsonl", seeds: exportLines) { bytes in
            guard case .asset(let asset) = ExportLineParser.parse(bytes), let record = asset.exact
            else { return }
            precondition(record.uuid == asset.item && asset.item.utf8.count == 36)
            precondition((-1...5).contains(record.rating) && record.duration.isFinite)
            precondition(record.mediaSubtypes.rawValue & ~KnownBits.mediaSubtypes == 0)
            for resource in asset.resources {
                guard case .path(let path)? = resource.locations.first else { continue }
                precondition(!path.hasPrefix("/") && !path.split(separator: "/").contains(".."))
            }
        },
    ]

    /// Lists an archive and extracts its entries, as the host does.
    private static func list(_ descriptor: Int32) {
        var cursor: ArchiveCursor? = .start
        var pages = 0
        while let next = cursor, pages < 20,
            let page = try? ArchiveExtractor.page(next, of: descriptor)
        {
            pages += 1
            for case .file(let entry, _) in page.items.prefix(20) {
                precondition(entry.size >= 0)
                precondition(!entry.name.hasPrefix("/") && !entry.name.hasPrefix("../"))
                guard entry.size < 1 << 20 else { continue }
                var position: InflatePosition?
                if case .tar = entry.place {
                    position = InflatePosition(input: 0, isAtHeader: true)
                }
                let request = ArchiveExtraction(entry: entry, position: position, done: 0)
                var length: Int64 = 0
                let progress = try? ArchiveExtractor.extract(request, from: descriptor) { part in
                    length += Int64(part.count)
                    return true
                }
                if let progress {
                    precondition(progress.done == entry.size && length == entry.size)
                }
            }
            cursor = page.next
        }
    }

    private static func memoryFile(_ bytes: ByteView) -> Int32? {
        let descriptor = cphotos_memory_file("archive", 0)
        guard descriptor >= 0 else { return nil }
        guard
            bytes.isEmpty || write(descriptor, bytes.bytes.baseAddress, bytes.count) == bytes.count
        else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    @Sendable private static func archiveBytes() throws -> [Data] {
        [
            """
            UEsDBBQAAAAIAAAAIQAC8K6cCAAAAHgAAAAHAAAAVC9hLmpwZ0tMSk4cCAQAUEsDBBQAAAAAAAAAIQAlb9/tMAAA\
            ADAAAAAMAAAAVC9hLmpwZy5qc29ueyJ0aXRsZSI6ImEiLCJwaG90b1Rha2VuVGltZSI6eyJ0aW1lc3RhbXAiOiI1\
            In19UEsBAhQDFAAAAAgAAAAhAALwrpwIAAAAeAAAAAcAAAAAAAAAAAAAAIABAAAAAFQvYS5qcGdQSwECFAMUAAAA\
            AAAAACEAJW/f7TAAAAAwAAAADAAAAAAAAAAAAAAAgAEtAAAAVC9hLmpwZy5qc29uUEsFBgAAAAACAAIAbwAAAIcA\
            AAAAAA==
            """,
            """
            H4sIALLPA2sC/+3WzwqCMBwH8J17CvEB3H5TM4KoY8cOvsAq6Q9RogZC9GbderGGEaIFndwiv58NNnbZYXz5LubK\
            26cb1iWhDYOgWrX2Kiiq98/zSA/mCGbAOS9Upq9k/aSWKyuTwU/wuMdnC1XOE7VOsu7y/yH3dealbOafhBQRc0rk\
            v3M0clJVbCcxv9+8fX46DpCJPon5tHp2m/0vKGz3v9RH6H8DLm6xKw6JO3aVe0Uc0P8W+l+K4K3/idD/Rvrfl68P\
            QGkJfhxW+7/7B/7a/4Ka+fdDkoT+N5J/RAAAAAAAAAAAAADgLz0ARchZHgAoAAA=
            """,
        ].compactMap { Data(base64Encoded: $0) }
    }

    @Sendable private static func exportLines() throws -> [Data] {
        [
            #"{"assets":1,"deleted":2,"format":1,"includesDeleted":false,"kind":"library","version":9}"#,
            """
            {"addedDate":"2026-11-23T18:00:00.25Z","camera":{"make":"A","aperture":1.8},
             "captureInstantSource":"offsetTag","captureOffset":3600,"keywords":["sea"],
             "captureWallTime":"2020-01-01T12:00:00","captureWallTimeSource":"exifOriginal",
             "creationDate":"2020-01-01T11:00:00Z","duration":0,"kind":"asset","mediaType":1,
             "files":[{"contentType":"public.jpeg","isOfEdit":false,"originalFilename":"a.jpg",
             "path":"Photos/2020/2020-01/a.jpg","pixelHeight":3,"pixelWidth":4,"size":9,"type":1,
             "sha256":"0000000000000000000000000000000000000000000000000000000000000000",
             "uuid":"5C9E3B50-0000-4000-8000-000000000001"}],"location":{"latitude":1,"longitude":2},
             "mediaSubtypes":8,"playbackStyle":3,"rating":-1,"sourceType":1,
             "uuid":"5C9E3B50-0000-4000-8000-000000000000"}
            """,
            """
            {"kind":"album","members":["5C9E3B50-0000-4000-8000-000000000000",5],"title":"T",
             "creationDate":"2020-01-01T11:00:00Z","uuid":"5C9E3B50-0000-4000-8000-000000000002"}
            """,
        ].map { Data($0.utf8) }
    }

    @Sendable private static func descriptions() throws -> [Data] {
        [
            """
            {"title": "a.jpg", "description": "Sea \\u00e4", "photoTakenTime": {"timestamp": "5"},
             "geoData": {"latitude": 1.5, "longitude": -2e1, "altitude": 0}, "favorited": true,
             "people": [{"name": "Ann"}], "googlePhotosOrigin": {"fromPartnerSharing": {}}}
            """,
            "{\"albumData\": {\"title\": \"Trip\", \"description\": null}}", "[1, [2, {}], false]",
        ].map { Data($0.utf8) }
    }
}
