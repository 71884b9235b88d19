/// The files that ended workers.
///
/// A file that ended two is not given to a third.
struct WorkerLossHistory {
    private struct Entry {
        var count: Int
        var reason: String
    }

    private static let maximumLosses = 2

    private var entries: [FileIdentity: Entry] = [:]

    /// Why a file is not tried again; nil for one that is.
    func reason(against file: FileIdentity) -> String? {
        entries[file].flatMap { $0.count >= Self.maximumLosses ? $0.reason : nil }
    }

    /// Notes that a file ended workers.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - file: The file, at one state of its contents.
    ///   - loss: How the last one ended. A forbidden system call is enough by itself.
    mutating func record(_ count: Int, lostTo file: FileIdentity, _ loss: WorkerLoss) {
        let before = entries[file]?.count ?? 0
        let isForbidden = loss.blame == .forbiddenCall
        entries[file] = Entry(
            count: isForbidden ? Self.maximumLosses : before + count,
            reason: loss.reason
        )
    }
}
