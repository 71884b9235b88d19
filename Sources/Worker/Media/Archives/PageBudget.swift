internal import WorkerProtocol

/// The limits of one page of a listing, which bound the size of the page's message and the time to
/// read the page.
struct PageBudget {
    private static let items = 500
    private static let bytesOfText = 512 << 10
    /// The maximum number of bytes that are decompressed for a page.
    static let output: Int64 = 128 << 20

    private(set) var found: [ArchiveItem] = []
    private var text = 0

    var isFull: Bool { found.count >= Self.items || text >= Self.bytesOfText }

    mutating func add(_ item: ArchiveItem) {
        found.append(item)
        switch item {
        case .file(let entry, let reading):
            text += entry.name.utf8.count
            if reading != nil { text += Int(min(entry.size, 1 << 20)) }
        case .refused(let name, _): text += name.utf8.count
        }
    }
}
