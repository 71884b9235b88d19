internal import CLinuxShim

/// A namespace for the process settings that an import needs.
enum ImportProcess {
    /// Raises the limit of open files, and limits the free memory that the allocator keeps.
    ///
    /// Otherwise each thread's malloc arena keeps the largest amount of memory that it ever used:
    /// some 20 MB more for a library with 30,000 photos.
    static func prepare() {
        OpenFileLimit.raise()
        cphotos_keep_heap_small()
    }
}
