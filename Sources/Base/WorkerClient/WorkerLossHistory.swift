/// The files that crashed workers.
///
/// A file that crashed two workers is not given to a third.
struct WorkerLossHistory {
    private struct Entry {
        var count: Int
        var reason: String
    }

    private static let maximumLosses = 2

    private var entries: [FileIdentity: Entry] = [:]

    /// Returns the reason why a file is no longer tried; nil if it may be tried.
    func reason(against file: FileIdentity) -> String? {
        entries[file].flatMap { $0.count >= Self.maximumLosses ? $0.reason : nil }
    }

    /// Records that a file crashed workers.
    ///
    /// - Parameters:
    ///   - count: The number of workers.
    ///   - file: The file, at one state of its contents.
    ///   - loss: The loss of the last one. A single forbidden system call is sufficient.
    mutating func record(_ count: Int, lostTo file: FileIdentity, _ loss: WorkerLoss) {
        let before = entries[file]?.count ?? 0
        let isForbidden = loss.blame == .forbiddenCall
        entries[file] = Entry(
            count: isForbidden ? Self.maximumLosses : before + count,
            reason: loss.reason
        )
    }
}
