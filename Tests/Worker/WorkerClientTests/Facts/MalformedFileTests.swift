import FoundationEssentials
import PhotoModel
import TestSupport
import Testing
import WorkerClient
import WorkerProtocol

/// Files that were damaged on purpose, which cost at most a worker.
@Suite(.needsSharedData, .timeLimit(.minutes(3)))
struct MalformedFileTests {
    @Test func everyMalformedFileGetsAnAnswer() throws {
        let pool = WorkerPool(configuration: .init(timeLimit: .seconds(30)))
        var answers = 0
        for row in try SharedData.rows(of: "expected.tsv") {
            guard let file = row["file"], file.hasPrefix("malformed/") else { continue }
            switch try pool.probe(path: SharedData.file(file).path, renditionSide: 256) {
            case .facts(let facts, _): #expect(facts.displaySize != nil, "\(file)")
            case .unsupported(let reason), .failed(let reason, _):
                #expect(reason.hasSuffix(".") && reason.count > 10, "\(file): \(reason)")
            }
            answers += 1
        }
        #expect(answers > 90)
        #expect(pool.startCount < 10)
    }
}
