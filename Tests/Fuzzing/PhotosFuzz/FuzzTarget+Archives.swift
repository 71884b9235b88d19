import CLinuxShim
import Foundation
import Glibc
@testable import Media
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
