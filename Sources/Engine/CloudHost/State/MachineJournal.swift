internal import CloudKeys
internal import CloudSync
internal import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel

/// The durable state of a `SyncMachine`: a checkpoint, and the inputs since that checkpoint.
///
///     <n>.checkpoint ‖ <n>.journal ──checkpoint──▶ <n+1>.checkpoint ‖ <n+1>.journal
///
/// 1. An input is durable before its outputs are carried out. A step depends only on the machine
///    and its input, so replaying the journal makes the machine as it was.
/// 2. Outputs that concern the library may have been lost in a crash, so a replay returns those of
///    the journal again; the library knows what it has applied.
/// 3. Each record is encrypted with the key of the current epoch under a name with its place. The
///    files are in the library's bundle, so that a copy of it never continues another copy's state,
///    and they contain the keys of blobs.
/// 4. A record also has the number of requests that preceded it. If a replay counts differently,
///    such as with another version of the machine, the state is unreadable.
/// 5. Inputs without outputs may be on the disk later than their steps. So a crash can lose the
///    last inputs, or leave zeros in their place. A record that ends early, or in such zeros, is
///    dropped with all that follows. Any other damage makes the state unreadable, and the library
///    continues as a new device.
/// 6. An input that is too large for a record, such as a snapshot of a large library, is not
///    appended. A checkpoint follows its step instead.
struct MachineJournal {
    /// The outcome of reading the state.
    struct Loaded {
        var machine: SyncMachine
        /// The changes of other devices that may not have been applied to the library yet.
        var transactions: [CloudTransaction]
        /// Indicates whether the journal has an incomplete record, or is long.
        ///
        /// A checkpoint must replace it before others are appended. A short and complete journal is
        /// continued: a checkpoint is as large as the state.
        var needsCheckpoint: Bool
    }

    /// The journal size in bytes that must be exceeded before a checkpoint is due.
    private static let longJournal = 1 << 20
    /// The maximum size in bytes of a loaded journal that is continued without a new checkpoint.
    private static let continuedJournal = 64 << 10
    private static let chunkSize = 16 << 20

    let folder: String
    var keyring: EpochKeyring
    /// The maximum size in bytes of an input that is appended.
    ///
    /// It is less than the maximum size of an encrypted object, 64 MiB.
    var maximumInputSize = 32 << 20
    private var generation: Int
    private var file: Descriptor?
    private var records = 0
    private var size = 0
    private var checkpointSize = 0
    /// Indicates whether appended inputs may not be durable.
    private var isUnsynced = false

    /// Creates an instance for the state in a folder, without reading the state.
    init(folder: String, keyring: EpochKeyring) {
        self.folder = folder
        self.keyring = keyring
        generation = Self.newest(in: folder) ?? 0
    }

    /// Indicates whether a checkpoint is due, that is, whether the journal is longer than
    /// `longJournal` and than the last checkpoint.
    ///
    /// So checkpoints become rarer as they grow, and the bytes that are written stay proportional
    /// to the inputs.
    var isLong: Bool { size > max(Self.longJournal, checkpointSize) }

    // MARK: - Reading

    /// Loads the machine; returns nil if there is no state.
    ///
    /// - Throws: `corrupt` if the state is damaged, and the error of reading it.
    mutating func load(hashing: any SegmentHashing) throws(LibraryError) -> Loaded? {
        guard Self.newest(in: folder) != nil else { return nil }
        let bytes = try checkpointBytes()
        var machine: SyncMachine
        do throws(CloudFormatError) {
            machine = try SyncMachine(decoding: bytes, hashing: hashing)
        } catch {
            throw damage("At byte \(error.offset): \(error.reason).")
        }
        checkpointSize = bytes.count
        (records, size) = (0, 0)
        var transactions: [CloudTransaction] = []
        var journal = try RecordFile(path("journal"), isRequired: false)
        while let record = try journal.next() {
            let bytes = try open(record, "journal", records)
            let input: JournaledInput
            let count: UInt64
            do throws(CloudFormatError) {
                var reader = SegmentReader(bytes)
                count = try reader.uint64()
                input = try JournaledInput(decoding: try reader.counted())
            } catch {
                throw damage("\(error)")
            }
            guard count == UInt64(machine.requestCount) else {
                throw damage(
                    "Input \(records) follows \(count) requests, not \(machine.requestCount)."
                )
            }
            for case .apply(let applied) in machine.step(input.input, input.environment) {
                transactions += applied
            }
            records += 1
            size += 4 + record.count
        }
        return Loaded(
            machine: machine,
            transactions: transactions,
            needsCheckpoint: !journal.isAtEnd || size > Self.continuedJournal
        )
    }

    /// Reads and decrypts the checkpoint, whose first record contains the number of the others.
    private func checkpointBytes() throws(LibraryError) -> [UInt8] {
        var file = try RecordFile(path("checkpoint"), isRequired: true)
        guard let first = try file.next() else { throw damage("The checkpoint is empty.") }
        let count = try open(first, "checkpoint", 0).reduce(0) { $0 << 8 | Int($1) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(file.remaining)
        var read = 0
        while let chunk = try file.next() {
            read += 1
            bytes += try open(chunk, "checkpoint", read)
        }
        guard read == count else { throw damage("The checkpoint is incomplete.") }
        return bytes
    }

    private func open(
        _ record: [UInt8],
        _ kind: String,
        _ index: Int
    ) throws(LibraryError) -> [UInt8] {
        do throws(CloudKeyError) {
            return try SealedObject.open(
                record,
                named: name(kind, index),
                purpose: .state,
                keys: keyring
            ).content
        } catch {
            throw damage(error.message)
        }
    }

    private func damage(_ reason: String) -> LibraryError {
        LibraryError(
            .corrupt,
            "The state of the sync with the cloud library is damaged.",
            reason: reason,
            recovery: "This computer continues as a new device of the cloud library.",
            path: folder
        )
    }

    // MARK: - Writing

    /// Appends an input to the journal; must be called before the machine processes that input.
    ///
    /// The input is durable on return if `isDurable` is true; otherwise the caller must call
    /// `sync()` before it carries out outputs. A crash before that may lose the last inputs.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - machine: The machine before the input.
    ///   - isDurable: Whether the input is synced to the disk.
    /// - Returns: False if the input is too large, and was not appended. The caller must then make
    ///   a checkpoint after the step, before it carries out the outputs.
    /// - Throws: The errors of the volume.
    @discardableResult
    mutating func append(
        _ input: JournaledInput,
        of machine: SyncMachine,
        isDurable: Bool = true
    ) throws(LibraryError) -> Bool {
        let encoded = input.encoded
        guard encoded.count <= maximumInputSize else { return false }
        var writer = SegmentWriter()
        writer.append(UInt64(machine.requestCount))
        writer.append(counted: encoded)
        let bytes = try sealed(writer.bytes, "journal", records)
        do throws(SystemError) {
            let file = try journalFile()
            try PrivateFile.append(Data(bytes), to: file, path: path("journal"))
        } catch {
            // A part of a record may be on the disk, so nothing may follow it.
            file = nil
            throw error.libraryError("The state of the sync cannot be written.")
        }
        isUnsynced = true
        if isDurable { try sync() }
        records += 1
        size += bytes.count
        return true
    }

    /// Makes the appended inputs durable; does nothing if they are.
    mutating func sync() throws(LibraryError) {
        guard isUnsynced else { return }
        do throws(SystemError) {
            guard fdatasync(try journalFile().number) == 0 else {
                throw .last("fdatasync", path: path("journal"))
            }
            isUnsynced = false
        } catch {
            file = nil
            throw error.libraryError("The state of the sync cannot be written.")
        }
    }

    private mutating func journalFile() throws(SystemError) -> Descriptor {
        if let file { return file }
        let path = path("journal")
        let number = Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw .last("open", path: path) }
        let opened = Descriptor(owning: number)
        try PrivateFile.sync(folder: folder)
        file = opened
        return opened
    }

    /// Replaces the checkpoint and the journal by a new checkpoint.
    ///
    /// A replay does not return the outputs of the former inputs any more, so the changes for the
    /// library must have been applied before. Requests may be under way or waiting. After a crash,
    /// `.start` discards them, and later duties make them again.
    mutating func checkpoint(_ machine: SyncMachine) throws(LibraryError) {
        let former = generation
        generation += 1
        let encodedSize = machine.encodedSize
        let chunkCount = (encodedSize + Self.chunkSize - 1) / Self.chunkSize
        var draft: FileDraft?
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            let file = try StateFolder(folder).draft(of: "\(generation).checkpoint")
            draft = file
            // One chunk at a time, since the state of a large library takes much of the memory.
            let count = (0..<4).map { UInt8(truncatingIfNeeded: chunkCount >> (24 - 8 * $0)) }
            try file.append(Data(try sealed(count, "checkpoint", 0)))
            var chunks = EncodedMachine(machine, chunkSize: Self.chunkSize)
            var written = 0
            while let chunk = chunks.next() {
                written += 1
                try file.append(Data(try sealed(chunk, "checkpoint", written)))
            }
            guard written == chunkCount else { throw Self.miscount }
            try file.commit()
        } catch {
            draft?.discard()
            // It may have its name already; the journal of the former one continues.
            unlink(path("checkpoint"))
            generation = former
            if let error = error as? LibraryError { throw error }
            if let error = error as? SystemError {
                throw error.libraryError("The state of the sync cannot be written.")
            }
            throw LibraryError(
                .inputOutput,
                "The state of the sync cannot be written.",
                reason: error.localizedDescription,
                recovery: "Check the volume of the library.",
                path: folder
            )
        }
        (file, records, size, checkpointSize) = (nil, 0, 0, encodedSize)
        isUnsynced = false
        for kind in ["checkpoint", "journal"] { unlink("\(folder)/\(former).\(kind)") }
    }

    /// The error of a checkpoint that nobody could read, whose first record has a wrong number.
    private static let miscount = LibraryError(
        .internalError,
        "The state of the sync cannot be written.",
        reason: "Its size changed while it was written.",
        recovery: "Report this error; the former state is kept."
    )

    private func sealed(
        _ content: [UInt8],
        _ kind: String,
        _ index: Int
    ) throws(LibraryError) -> [UInt8] {
        do throws(CloudKeyError) {
            let bytes = try SealedObject.seal(
                content,
                named: name(kind, index),
                purpose: .state,
                epoch: keyring.current
            )
            var writer = SegmentWriter()
            writer.append(counted: bytes)
            return writer.bytes
        } catch {
            throw LibraryError(error)
        }
    }

    private func name(_ kind: String, _ index: Int) -> String {
        "state/\(generation)/\(kind)/\(index)"
    }

    private func path(_ kind: String) -> String { "\(folder)/\(generation).\(kind)" }

    /// Removes the state in a folder.
    static func remove(_ folder: String) throws(LibraryError) {
        do {
            try FileManager.default.removeItem(atPath: folder)
        } catch CocoaError.fileNoSuchFile {
            return
        } catch {
            throw LibraryError(
                .inputOutput,
                "The state of the sync cannot be removed.",
                reason: error.localizedDescription,
                recovery: "Check the volume of the library.",
                path: folder
            )
        }
    }

    /// Returns the number of the newest checkpoint; nil if there is none.
    private static func newest(in folder: String) -> Int? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { name in
            name.hasSuffix(".checkpoint") ? Int(name.dropLast(".checkpoint".count)) : nil
        }.max()
    }
}
