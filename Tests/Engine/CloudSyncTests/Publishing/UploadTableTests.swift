import TestSupport
import Testing

@testable import CloudSync

/// The indexes of uploads answer as a search of all uploads does.
@Suite(.timeLimit(.minutes(1))) struct UploadTableTests {
    private typealias Upload = SyncMachine.Upload

    private static let contents = (0..<4 as Range<UInt64>).map {
        ContentID(CloudID(1, $0), CloudID(2, $0))
    }

    private static func blob(_ number: UInt64) -> BlobName {
        BlobName(device: CloudID(0, number % 2), id: CloudID(0, number))
    }

    /// What the machine asks of the uploads of a content.
    private static var conditions: [(BlobName, Upload) -> Bool] {
        [
            { _, _ in true },
            { _, upload in upload.isDone },
            { _, upload in upload.replenishes && !upload.isDone },
            { _, upload in !upload.replenishes && upload.isDone && !upload.isAttached },
            { blob, _ in blob.id.low > 5 },
        ]
    }

    private static func isEqual(_ table: UploadTable, _ model: [BlobName: Upload]) -> Bool {
        let unfinished = Set(model.filter { !$0.value.isDone }.keys)
        guard table.entries == model, table.unfinished == unfinished else { return false }
        for content in contents {
            for condition in conditions {
                let found = model.filter { entry in
                    entry.value.content == content && condition(entry.key, entry.value)
                }
                guard table.blob(of: content, where: condition) == found.keys.min(),
                    table.contains(content, where: condition) == !found.isEmpty
                else { return false }
            }
        }
        return true
    }

    @Test func aTableAnswersAsASearchDoes() {
        let seed = TestSeed()
        var generator = seed.generator
        var table = UploadTable()
        var model: [BlobName: Upload] = [:]
        var areEqual = true
        for _ in 0..<3_000 {
            let blob = Self.blob(UInt64.random(in: 0..<12, using: &generator))
            switch Int.random(in: 0..<7, using: &generator) {
            case 0, 1, 2:
                let content = Self.contents[Int.random(in: 0..<4, using: &generator)]
                let replenishes = Bool.random(using: &generator)
                // It may replace another upload.
                let upload = Upload(content: content, replenishes: replenishes)
                table[blob] = upload
                model[blob] = upload
            case 3, 4:
                table[blob]?.isDone = true
                model[blob]?.isDone = true
            case 5:
                table[blob]?.isAttached = true
                model[blob]?.isAttached = true
            default:
                table[blob] = nil
                model[blob] = nil
            }
            areEqual = areEqual && Self.isEqual(table, model)
        }
        #expect(areEqual, seed.comment)
        // A table that is read has the indexes of one that was changed.
        #expect(UploadTable(model) == table, seed.comment)
    }
}
