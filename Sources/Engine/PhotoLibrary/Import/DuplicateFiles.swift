internal import PhotoModel

/// Looks at the library's files of duplicates, with reading them where that was asked for.
///
/// Files are read before the writer lock is taken; under it a look tells whether they are still what
/// was read.
struct DuplicateFiles {
    let root: String
    /// Whether files are read and their SHA-256 compared.
    let verifies: Bool
    let files: FileOperations
    /// What the file system said of the files whose bytes were found right, by path.
    private var verified: [String: FileStatus] = [:]

    init(root: String, verifies: Bool, files: FileOperations) {
        self.root = root
        self.verifies = verifies
        self.files = files
    }

    /// Reads a file ahead, so that it need not be read under the writer lock.
    mutating func readAhead(path: String, size: Int64, digest: SHA256Digest) {
        guard verifies, verified[path] == nil else { return }
        if case .verified(let status) = stored(path, size).verify(digest) {
            verified[path] = status
        }
    }

    /// What is at a resource's place.
    func find(_ resource: ResourceRecord, digest: SHA256Digest) -> StoredFile.Finding {
        let file = stored(resource.path, resource.size)
        let finding = file.inspect()
        guard verifies, case .present(let status) = finding else { return finding }
        if let earlier = verified[resource.path], status.isUnchanged(since: earlier) {
            return .verified(status)
        }
        return file.verify(digest)
    }

    private func stored(_ path: String, _ size: Int64) -> StoredFile {
        StoredFile(path: root + "/" + path, size: size, files: files)
    }
}
