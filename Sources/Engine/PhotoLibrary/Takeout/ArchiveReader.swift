package import WorkerClient
package import WorkerProtocol

/// Reads untrusted archives and JSON files; implemented by a pool of workers.
package protocol ArchiveReader: Sendable {
    /// Lists the next entries of an archive, and includes the content of JSON files.
    func archivePage(_ cursor: ArchiveCursor, of descriptor: Int32) throws(WorkerError)
        -> ArchivePage

    /// Reads a JSON file of a Google Takeout export.
    func takeoutReading(of descriptor: Int32) throws(WorkerError) -> TakeoutReading

    /// Decompresses the next bytes of an archive's entry into a file.
    func extract(_ request: ArchiveExtraction, from descriptor: Int32, to output: Int32)
        throws(WorkerError) -> WorkerPool.ExtractionAnswer
}

extension WorkerPool: ArchiveReader {}
