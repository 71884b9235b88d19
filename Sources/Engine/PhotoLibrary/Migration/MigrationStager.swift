internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// Stages the files of one asset: copies, hashes and probes them, and compares the original with
/// its fingerprint.
struct MigrationStager: Sendable {
    /// The result of staging the files of an asset.
    enum Result: Sendable {
        case staged(StagedMigration)
        /// The asset cannot be imported, for the reason in this line.
        case line(MigrationLine)
    }

    var session: StagingSession
    var prober: any MediaProber
    var configuration: ImportConfiguration
    var source: any SourceFiles
    var volumes: [String: any SourceFiles]
    var kind: MigrationSourceKind

    /// The maximum size of an adjustment envelope or a sidecar, in bytes.
    private static let smallFile: Int64 = 32 << 20

    /// Stages the files of an asset that the library does not have.
    ///
    /// - Throws: An error that concerns more than this asset, from the library's volume or the
    ///   worker.
    func stage(_ asset: ForeignAsset, _ step: MigrationPlan.Step) throws(LibraryError) -> Result {
        guard case .take(let planned) = step.decision, !planned.isEmpty else {
            return .line(line(asset, nil, nil, .failed, "It has no file."))
        }
        return try stage(asset, step, planned, after: nil)
    }

    /// Stages the files that an asset of the library lacks.
    ///
    /// A file that cannot be taken is reported in a line; the others are staged nevertheless.
    ///
    /// - Throws: An error that concerns more than this asset.
    func stage(_ known: KnownMigration) throws(LibraryError) -> StagedMigration {
        let result = try stage(
            known.asset,
            known.step,
            known.files,
            after: known
        )
        guard case .staged(var staged) = result else {
            preconditionFailure("The files of a known asset have no line of their own.")
        }
        staged.revertsEdit = known.revertsEdit
        staged.isOlder = known.isOlder
        return staged
    }

    private func stage(
        _ asset: ForeignAsset,
        _ step: MigrationPlan.Step,
        _ planned: [MigrationPlan.File],
        after known: KnownMigration?
    ) throws(LibraryError) -> Result {
        let isNew = known == nil
        var staged = StagedMigration(
            asset: asset,
            plan: step,
            files: [],
            check: .notVerifiable,
            notes: [],
            sidecarContent: []
        )
        var isDone = false
        defer { if !isDone { staged.discard() } }
        for file in planned {
            let outcome: ImportOutcome
            do throws(FileStager.Failure) {
                try add(file, to: &staged)
                continue
            } catch {
                outcome = try Self.outcome(of: error)
            }
            if isNew, file == planned.first {
                let kind: MigrationLine.Outcome =
                    outcome.kind == .unsupported ? .unsupported : .failed
                return .line(
                    line(asset, file.entry.path, file.volume, kind, outcome.reason)
                )
            }
            fail(file.role, file.entry.path, file.volume, .failed, outcome.reason, of: &staged)
        }
        if let failure = try probe(&staged, isNew: isNew) { return .line(failure) }
        if staged.file(.render) == nil {
            // Without the edited picture, its movie and its base are of no use.
            let useless: Set<ForeignResource.Role> = [.renderPairedVideo, .adjustmentBase]
            for file in staged.files where useless.contains(file.role) { file.staged.discard() }
            staged.files.removeAll { useless.contains($0.role) }
        }
        let isEdited = staged.file(.render) != nil
        staged.roles = Set(staged.files.map(\.role)).filter { role in
            role != .proxy && (!role.isOfEdit || role == .adjustments && !isEdited)
        }
        try addEdit(to: &staged, isNew: isNew)
        try addSidecar(to: &staged, after: known)
        isDone = true
        return .staged(staged)
    }

    /// Records that a file of an asset was not imported, and adds a report line with the reason.
    private func fail(
        _ role: ForeignResource.Role,
        _ path: String?,
        _ volume: String?,
        _ outcome: MigrationLine.Outcome,
        _ reason: String?,
        of staged: inout StagedMigration
    ) {
        staged.plan.isComplete = false
        if role.isOfEdit { staged.isEditWhole = false }
        staged.plan.lines.append(
            line(staged.asset, path, volume, outcome, reason, isLeading: role == .original)
        )
    }

    // MARK: - Files

    private func add(_ file: MigrationPlan.File, to staged: inout StagedMigration)
        throws(FileStager.Failure)
    {
        let isOriginal = file.role == .original
        let isSmall = [.adjustments, .cameraAdjustments, .sidecar].contains(file.role)
        guard !isSmall || file.entry.size <= Self.smallFile else {
            throw .unreadable("It is too large for its kind (\(file.entry.size) bytes).")
        }
        let files = file.volume.flatMap { volumes[$0] } ?? source
        let descriptor: Descriptor
        do throws(SourceFileFailure) { descriptor = try files.open(file.entry) } catch {
            throw .unreadable(error.reason)
        }
        let expected = staged.asset.fingerprint.flatMap {
            $0.utf8.count == SourceFingerprint.length ? $0 : nil
        }
        let fingerprint = isOriginal && expected != nil ? SourceFingerprint() : nil
        let copy = try FileStager(session: session, files: configuration.files)
            .stage(descriptor.number, fingerprint: fingerprint).file
        withExtendedLifetime(descriptor) {}
        staged.files.append(
            StagedMigration.File(
                role: file.role,
                path: file.entry.path,
                volume: file.volume,
                entry: file.entry,
                staged: copy
            )
        )
        if isOriginal { check(copy, fingerprint?.finish(), expected, &staged) }
    }

    private func check(
        _ file: StagedFile,
        _ found: String?,
        _ expected: String?,
        _ staged: inout StagedMigration
    ) {
        let size = staged.asset.originalSize
        if let expected, let found, found == expected {
            staged.check = .equal
        } else if let size, size > file.size {
            noteDamage(
                "The original is shorter than Photos states (\(file.size) of \(size) bytes): it was"
                    + " probably not copied completely. Copy the library again, and import it again.",
                &staged
            )
        } else if expected == nil || found == nil {
            if let size, size != file.size { noteChange(size, file.size, &staged) }
        } else if size == file.size {
            noteDamage(
                "The original differs from Photos' fingerprint although its size is the same:"
                    + " it is probably damaged. Copy the library again, and import it again.",
                &staged
            )
        } else {
            noteChange(size, file.size, &staged)
        }
    }

    private func noteDamage(_ text: String, _ staged: inout StagedMigration) {
        staged.check = .damaged
        staged.notes.append(MigrationNote("damaged", .error, text))
    }

    private func noteChange(_ size: Int64?, _ found: Int64, _ staged: inout StagedMigration) {
        staged.check = .changed
        staged.notes.append(
            MigrationNote(
                "changedSinceImport",
                "The original was changed after Photos imported it"
                    + (size.map { " (\($0) bytes then, \(found) now)." } ?? ".")
            )
        )
    }

    private static func outcome(of failure: FileStager.Failure) throws(LibraryError)
        -> ImportOutcome
    {
        switch failure {
        case .volume(let error): throw error
        case .notRegular(let kind):
            ImportOutcome(.unsupported, reason: "It is \(kind), not a regular file.")
        case .empty: ImportOutcome(.failed, reason: "The file is empty (0 bytes).")
        case .changed: ImportOutcome(.failed, reason: "It changed while it was being read.")
        case .unreadable(let reason): ImportOutcome(.failed, reason: reason)
        }
    }

    private func line(
        _ asset: ForeignAsset,
        _ path: String?,
        _ volume: String?,
        _ outcome: MigrationLine.Outcome,
        _ reason: String?,
        isLeading: Bool = true
    ) -> MigrationLine {
        MigrationLine(
            kind: kind,
            item: asset.item,
            path: path,
            volume: volume,
            outcome: outcome,
            reason: reason,
            isLeading: isLeading
        )
    }

    // MARK: - Probing

    /// Reads the facts of photos and movies; returns a report line if the original of a new asset
    /// cannot be read.
    private func probe(_ staged: inout StagedMigration, isNew: Bool) throws(LibraryError)
        -> MigrationLine?
    {
        let draft = AssetDraft(
            capturePolicy: CaptureTimePolicy(machineTimeZone: configuration.timeZone)
        )
        for index in staged.files.indices {
            let file = staged.files[index]
            guard ![.adjustments, .cameraAdjustments, .sidecar].contains(file.role) else {
                continue
            }
            // A rendering of an edit is displayed instead of the original.
            let isOriginal = file.role == .original || file.role == .proxy
            let isShown = file.role == .render || isOriginal && staged.file(.render) == nil
            let name = isOriginal ? staged.asset.originalFilename : file.path ?? ""
            let answer: ProbeAnswer
            do throws(WorkerError) {
                answer = try prober.probe(
                    ProbeRequest(
                        filename: name,
                        renditionSide: isShown ? configuration.renditionSide : 0
                    ),
                    descriptor: file.staged.descriptor.number
                )
            } catch {
                throw SourceStager.unavailable(error)
            }
            let problem: (MigrationLine.Outcome, String)
            switch answer {
            case .facts(let facts, let pixels) where !facts.format.isSidecar:
                staged.files[index].facts = facts
                staged.files[index].pixels = pixels
                staged.files[index].record = draft.record(
                    of: facts,
                    filename: name,
                    fileTime: Date(
                        timeIntervalSince1970: Double(file.entry?.modificationTime ?? 0) / 1e9
                    )
                )
                continue
            case .facts: problem = (.unsupported, "It is not a photo or movie.")
            case .unsupported(let reason): problem = (.unsupported, reason)
            case .failed(let reason, _): problem = (.failed, reason)
            }
            if isOriginal, isNew {
                return line(staged.asset, file.path, file.volume, problem.0, problem.1)
            }
            fail(file.role, file.path, file.volume, problem.0, problem.1, of: &staged)
        }
        for file in staged.files where file.facts == nil {
            guard ![.adjustments, .cameraAdjustments, .sidecar].contains(file.role) else {
                continue
            }
            file.staged.discard()
        }
        staged.files.removeAll { file in
            file.facts == nil
                && ![.adjustments, .cameraAdjustments, .sidecar].contains(file.role)
        }
        return nil
    }

    // MARK: - Made files

    /// Adds an adjustments file to an edit if the source has no adjustments file.
    ///
    /// The file contains the adjustments in the source's database, if any.
    private func addEdit(to staged: inout StagedMigration, isNew: Bool) throws(LibraryError) {
        guard let edit = staged.asset.edit, staged.file(.adjustments) == nil,
            staged.file(.render) != nil || isNew && edit.data != nil
        else { return }
        if edit.data == nil {
            staged.notes.append(
                MigrationNote(
                    "adjustmentsMissing",
                    "The edit's adjustments are not in the library, or are larger than 512 kB; its"
                        + " rendering is kept, and it can be reverted."
                )
            )
        }
        let format = edit.formatIdentifier ?? ""
        let version = edit.formatVersion ?? ""
        let time = Date(
            timeIntervalSinceReferenceDate: edit.timestamp ?? staged.asset.facts.modificationDate
                ?? 0
        )
        func envelope(of adjustments: ContentAdjustments) throws(LibraryError) -> Data {
            try AdjustmentEnvelopeWriter.data(
                adjustments,
                editor: format == ExternalRender.formatIdentifier
                    ? "org.swift-photos" : "com.apple.Photos",
                time: time
            )
        }
        let data: Data
        do {
            data = try envelope(
                of: ContentAdjustments(
                    formatIdentifier: format.isEmpty ? "com.apple.photo" : format,
                    formatVersion: version.isEmpty ? "1.0" : version,
                    data: Data(edit.data ?? [])
                )
            )
        } catch  where error.code == .invalidRequest {
            // The values are the database's, so that they may be anything.
            staged.notes.append(
                MigrationNote(
                    "adjustmentsMissing",
                    "The edit's adjustments are damaged: \(error.reason ?? error.message)"
                )
            )
            guard staged.file(.render) != nil else { return }
            data = try envelope(
                of: ContentAdjustments(
                    formatIdentifier: "com.apple.photo",
                    formatVersion: "1.0",
                    data: Data()
                )
            )
        }
        staged.files.append(
            StagedMigration.File(role: .adjustments, path: nil, staged: try write(data))
        )
    }

    /// Adds a sidecar with the metadata that the library cannot show.
    private func addSidecar(
        to staged: inout StagedMigration,
        after known: KnownMigration?
    ) throws(LibraryError) {
        var camera: [UInt8]?
        // The adjustments of an edit that is here are not staged again.
        let hasEdit = staged.file(.adjustments) != nil || known?.hasEdit == true
        if let file = staged.file(.cameraAdjustments), hasEdit {
            camera = try read(file.staged)
            file.staged.discard()
            staged.files.removeAll { $0.role == .cameraAdjustments }
        }
        // An asset of the library has got its sidecar, which only these change.
        guard known?.changesSidecar != false || camera != nil else { return }
        let plain = MigrationSidecar.make(for: staged.asset, cameraAdjustments: nil)
        staged.sidecar = MadeSidecar(
            digest: MigrationSidecar.digest(ofDocument: plain?.data),
            hasCamera: camera == nil ? nil : true
        )
        let made =
            camera == nil
            ? plain : MigrationSidecar.make(for: staged.asset, cameraAdjustments: camera)
        guard let (data, content) = made else { return }
        staged.sidecarContent = content
        staged.files.append(
            StagedMigration.File(role: .sidecar, path: nil, staged: try write(data))
        )
    }

    private func read(_ file: StagedFile) throws(LibraryError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(min(file.size, Self.smallFile)))
        do throws(SystemError) {
            let count: Swift.Result<Int, SystemError> = bytes.withUnsafeMutableBytes { buffer in
                do throws(SystemError) {
                    return .success(
                        try configuration.files.read(file.descriptor.number, at: 0, into: buffer)
                    )
                } catch { return .failure(error) }
            }
            bytes.removeSubrange(try count.get()...)
            return bytes
        } catch { throw error.libraryError("A staged file cannot be read.") }
    }

    private func write(_ data: Data) throws(LibraryError) -> StagedFile {
        let hasher = SHA256Hasher()
        do throws(SystemError) {
            let (path, descriptor) = try session.createFile()
            let result: Swift.Result<Void, SystemError> = data.withUnsafeBytes { bytes in
                hasher.update(bytes)
                do throws(SystemError) {
                    try configuration.files.write(bytes, to: descriptor.number, at: 0)
                    return .success(())
                } catch { return .failure(error) }
            }
            try result.get()
            guard let digest = hasher.finish() else {
                throw SystemError(call: "EVP_DigestFinal_ex", number: 12, path: path)
            }
            return StagedFile(
                path: path,
                descriptor: descriptor,
                size: Int64(data.count),
                digest: digest,
                files: configuration.files
            )
        } catch {
            throw error.libraryError("A file cannot be written to the library's staging folder.")
        }
    }
}
