internal import CLinuxShim

/// The settings of a process that imports.
enum ImportProcess {
    /// Raises the limit of open files, and keeps the heap small.
    ///
    /// Otherwise each thread's arena keeps the largest memory that it ever needed: with 30,000
    /// photos of a library some 20 MB more.
    static func prepare() {
        OpenFileLimit.raise()
        cphotos_keep_heap_small()
    }
}
