import Foundation
import Photos
import TestSupport
import Testing

/// PhotoKit's error codes, compared with the list of its API.
@Suite(.timeLimit(.minutes(2))) struct ErrorTableTests {
    private static let list = SharedData.packageRoot
        .appendingPathComponent("../shared/photokit/api.tsv")

    @Test(
        "The codes are PhotoKit's, with their numbers",
        .enabled(
            if: FileManager.default.fileExists(atPath: list.path),
            "The list of PhotoKit's API is not here."
        )
    )
    func codes() throws {
        var wanted: [String: Int] = [:]
        for line in try String(contentsOf: Self.list, encoding: .utf8).split(separator: "\n") {
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(
                String.init
            )
            guard cells.count > 6, cells[0] == "PHPhotosError.Code", cells[2] == "case",
                let note = cells.last, let number = note.firstMatch(of: /raw value (-?\d+)/)
            else { continue }
            wanted[cells[1]] = Int(number.output.1)
        }
        #expect(wanted.count >= 21)
        let ours = PHPhotosError.Code.allCases.map { ("\($0)", $0.rawValue) }
        #expect(Dictionary(uniqueKeysWithValues: ours) == wanted)
        #expect(PHPhotosErrorDomain == "PHPhotosErrorDomain")
    }
}
