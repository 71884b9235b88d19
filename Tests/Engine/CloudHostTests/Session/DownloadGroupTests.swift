import CloudSync
import Testing

@testable import CloudHost

/// The files that a session with optimized storage downloads at once.
@Suite(.timeLimit(.minutes(1))) struct DownloadGroupTests {
    /// Divides files with the given remaining sizes into groups.
    ///
    /// - Returns: The sizes of each group, and the number of files that do not fit.
    private func divide(_ sizes: [Int64], free: Int64) -> (groups: [[Int64]], tooLarge: Int) {
        let contents = sizes.indices.map { ContentID(CloudID(0, UInt64($0)), CloudID(0, 0)) }
        let sizeOfContent = Dictionary(uniqueKeysWithValues: zip(contents, sizes))
        var (waiting, tooLarge) = (contents[...], 0)
        var groups: [[Int64]] = []
        while !waiting.isEmpty {
            let group = SyncHost.nextGroup(&waiting, free: free, &tooLarge) {
                sizeOfContent[$0] ?? 0
            }
            groups.append(group.compactMap { sizeOfContent[$0] })
        }
        return (groups, tooLarge)
    }

    @Test func filesThatFitAreOneGroup() {
        let (groups, tooLarge) = divide([2, 3, 4, 1], free: 6)
        #expect(groups == [[2, 3], [4, 1]])
        #expect(tooLarge == 0)
    }

    @Test func aFileThatDoesNotFitIsSkipped() {
        let (groups, tooLarge) = divide([7, 3], free: 6)
        #expect(groups == [[3]])
        #expect(tooLarge == 1)
    }

    /// It was downloaded before, and could not be placed.
    @Test(arguments: [0, -5] as [Int64]) func aCompleteFileFitsOnAFullVolume(free: Int64) {
        let (groups, tooLarge) = divide([4, 0, 3], free: free)
        #expect(groups == [[0], []])
        #expect(tooLarge == 2)
    }
}
