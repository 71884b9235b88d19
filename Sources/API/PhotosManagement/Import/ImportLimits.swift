/// How much of an import is under way at once.
///
/// Files that are being read hold descriptors, so a process that may open few files gets small batches,
/// one after the other.
struct ImportLimits: Sendable {
    /// Files of a batch.
    var files = 64
    /// Bytes of a batch.
    var bytes: Int64 = 256 << 20
    /// Files about which the library is asked at once, without reading them.
    var knownFiles = 1024
    /// Folders that stay open for them; each holds a descriptor.
    var openFolders = 48
    /// Batches that are read and committed at once: the library serves two calls of a session.
    var runningBatches = 2
    /// Batches that run or wait.
    var batches = 4

    /// The descriptors of a file that is being read: itself, its copy, and the movie inside it.
    private static let descriptorsPerFile = 3
    /// The descriptors for the database, the workers, and the folders around those that are open.
    private static let reserve = 32

    /// The limits of a process that may open many files.
    init() {}

    /// The limits of a process that may open so many files more.
    init(availableDescriptors: Int) {
        let usable = availableDescriptors - Self.reserve
        let wanted = runningBatches * files * Self.descriptorsPerFile + (batches + 1) * openFolders
        guard usable < wanted else { return }
        runningBatches = 1
        batches = 2
        // Half for files; a quarter for the folders of the batches and of what is found meanwhile;
        // the rest for deep trees.
        files = min(files, max(1, usable / 2 / Self.descriptorsPerFile))
        openFolders = min(openFolders, max(1, usable / 4 / (batches + 1)))
    }
}
