/// The limits for the concurrent work of an import.
///
/// Files that are being read hold descriptors, so a process with few descriptors gets small
/// batches, one after the other.
struct ImportLimits: Sendable {
    /// The maximum number of files in a batch.
    var files = 64
    /// The maximum number of bytes in a batch.
    var bytes: Int64 = 256 << 20
    /// The target number of files in one request that asks which of them the library already has.
    ///
    /// Such a request reads no file. It may contain up to twice as many files, so that a group of
    /// files stays together.
    var knownFiles = 1024
    /// The maximum number of folders that are kept open for one lookup of known files; each needs a
    /// descriptor.
    var openFolders = 48
    /// The maximum number of batches that are read and committed concurrently.
    ///
    /// The library daemon has two threads for calls that read or write many files.
    var runningBatches = 2
    /// The maximum number of batches that are running or waiting to run.
    var batches = 4

    /// The number of descriptors needed to read a file: one each for the file, its copy, and a
    /// movie that is extracted from the file, as from a motion photo.
    private static let descriptorsPerFile = 3
    /// The number of lookups that keep folders open for files not yet in a batch: the lookup in
    /// progress, and two whose folders are read ahead.
    private static let lookups = 3
    /// The number of descriptors that are reserved for the database, the workers, and the parents
    /// of the open folders.
    private static let reserve = 32

    /// Creates the limits for a process with many available descriptors.
    init() {}

    /// Creates the limits for a process that can open the given number of additional files.
    init(availableDescriptors: Int) {
        let usable = availableDescriptors - Self.reserve
        let wanted =
            runningBatches * files * Self.descriptorsPerFile + (batches + Self.lookups)
            * openFolders
        guard usable < wanted else { return }
        runningBatches = 1
        batches = 2
        // Half for files; a quarter for the folders of the batches and of the lookup; the rest for
        // deep trees.
        files = min(files, max(1, usable / 2 / Self.descriptorsPerFile))
        openFolders = min(openFolders, max(1, usable / 4 / (batches + Self.lookups)))
    }
}
