/// The files that crashed workers.
///
/// After a file has crashed two workers, it is not given to another one.
struct WorkerLossHistory {
    private struct Entry {
        var count: Int
        var reason: String
    }

    private static let maximumLosses = 2

    private var entries: [FileIdentity: Entry] = [:]

    /// Returns the reason why a file must not be tried again; nil if it may be tried.
    func reason(against file: FileIdentity) -> String? {
        entries[file].flatMap { $0.count >= Self.maximumLosses ? $0.reason : nil }
    }

    /// Records that a file crashed `count` workers.
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
