internal import PhotoModel

/// Checks library files that have the same content as imported files, and verifies their SHA-256 if
/// requested.
///
/// Files are read before the writer lock is acquired. Under the lock, a file is read only if it was
/// not verified before or its status has changed since.
struct DuplicateFiles {
    let bundle: LibraryBundle
    /// Indicates whether files are read to verify their SHA-256.
    let verifies: Bool
    let files: FileOperations
    /// The status of each library file whose content was verified, keyed by path.
    private var verified: [String: FileStatus] = [:]

    init(bundle: LibraryBundle, verifies: Bool, files: FileOperations) {
        self.bundle = bundle
        self.verifies = verifies
        self.files = files
    }

    /// Verifies a library file in advance, so that it need not be read while the writer lock is
    /// held.
    mutating func readAhead(path: String, size: Int64, digest: SHA256Digest) {
        guard verifies, verified[path] == nil, !bundle.isHollow(path) else { return }
        if case .verified(let status) = stored(path, size).verify(digest) {
            verified[path] = status
        }
    }

    /// Checks the file at a resource's path.
    func find(_ resource: ResourceRecord, digest: SHA256Digest) -> StoredFile.Finding {
        let file = stored(resource.path, resource.size)
        let finding = file.inspect()
        guard verifies, case .present(let status) = finding else { return finding }
        if bundle.isHollow(resource.path) { return .verified(status) }
        if let earlier = verified[resource.path], status.isUnchanged(since: earlier) {
            return .verified(status)
        }
        return file.verify(digest)
    }

    private func stored(_ path: String, _ size: Int64) -> StoredFile {
        StoredFile(path: bundle.absolutePath(of: path), size: size, files: files)
    }
}

extension StoredFile.Finding {
    /// Indicates whether the imported file must replace the library's file.
    var needsRestoration: Bool {
        switch self {
        case .missing, .damaged: true
        case .present, .verified, .unreadable: false
        }
    }

    /// The remark about the library's file; nil if there is none.
    var remark: String? {
        switch self {
        case .present, .verified: nil
        case .missing: "The library's file was missing and has been restored from this one."
        case .damaged: "The library's file was damaged and has been restored from this one."
        case .unreadable(let reason):
            "The library's file cannot be read: \(reason). Run photos verify."
        }
    }
}

extension DuplicateFiles {
    /// Returns the reason why a file of the library was not restored.
    func refusal(of target: String, _ error: SystemError) -> String {
        "The library's file \(bundle.absolutePath(of: target)) is missing or damaged and cannot be"
            + " replaced: \(error.reason). Allow changes to it (chattr -i) and import it again."
    }
}
