internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// An exported asset whose files were copied, compared with their SHA-256 and probed.
struct StagedExport: Sendable {
    /// A staged file of the asset.
    struct File: Sendable {
        var planned: MigrationPlan.File
        var stated: StatedFile
        var staged: StagedFile
        /// The facts found in a photo or movie; nil for adjustments and sidecars.
        var facts: MediaFacts?
        var record: AssetRecord?
        var pixels: PixelMemory?

        var key: String { ExportFacts.key(stated.type, stated.sha256) }
    }

    var step: ExportStep
    /// The files; the first one of a new asset is its original.
    var files: [File]

    /// Removes the files from the staging folder; files already placed are not affected.
    func discard() { for file in files { file.staged.discard() } }
}

/// Stages the files of exported assets.
///
/// A file whose bytes differ from the stated SHA-256 is not taken. An edit is only taken with all
/// of its files. The next import tries again.
struct ExportStager: Sendable {
    /// The result of staging the files of an asset.
    enum Result: Sendable {
        case staged(StagedExport)
        /// The asset cannot be imported, for the reasons in these lines.
        case lines([MigrationLine])
    }

    var session: StagingSession
    var prober: any MediaProber
    var configuration: ImportConfiguration
    var source: any SourceFiles

    /// The maximum size in bytes of an adjustment envelope or a sidecar.
    private static let smallFile: Int64 = 32 << 20

    /// The outcome and reason to report for a file that is not imported.
    private struct Refusal {
        var outcome: MigrationLine.Outcome
        var reason: String
    }

    private enum Attempt {
        case file(StagedExport.File)
        case refused(Refusal)
    }

    /// Stages the files of a step.
    ///
    /// - Throws: An error that concerns more than this asset, from the library's volume or the
    ///   worker.
    func stage(_ step: ExportStep) throws(LibraryError) -> Result {
        var staged = StagedExport(step: step, files: [])
        var isDone = false
        defer { if !isDone { staged.discard() } }
        var isEditWhole = true
        for (index, planned) in step.files.enumerated() {
            guard let stated = planned.stated else { continue }
            if stated.isOfEdit, !isEditWhole { continue }
            let isShown = planned.role == .render || index == 0 && step.isNew && !step.takesEdit
            switch try attempt(planned, stated, of: step, isShown: isShown) {
            case .file(let file): staged.files.append(file)
            case .refused(let refusal):
                var line = MigrationLine(
                    kind: .photosExport,
                    item: step.asset.item,
                    path: planned.entry.path,
                    outcome: refusal.outcome,
                    reason: refusal.reason
                )
                guard !step.isNew || index > 0 else {
                    line.notes = step.notes
                    return .lines([line])
                }
                line.isLeading = false
                staged.step.lines.append(line)
                staged.step.isComplete = false
                if stated.isOfEdit { isEditWhole = false }
            }
        }
        if !isEditWhole {
            staged.step.takesEdit = false
            for file in staged.files where file.stated.isOfEdit { file.staged.discard() }
            staged.files.removeAll { $0.stated.isOfEdit }
        }
        isDone = true
        return .staged(staged)
    }

    private func attempt(
        _ planned: MigrationPlan.File,
        _ stated: StatedFile,
        of step: ExportStep,
        isShown: Bool
    ) throws(LibraryError) -> Attempt {
        func failed(_ reason: String) -> Attempt {
            .refused(Refusal(outcome: .failed, reason: reason))
        }
        if let problem = Self.sizeProblem(planned) { return failed(problem) }
        let isMedium = Self.isMedium(stated.type)
        guard isMedium || stated.size <= Self.smallFile else {
            return failed("It is too large for its kind (\(stated.size) bytes).")
        }
        let copy: StagedFile
        do throws(FileStager.Failure) {
            copy = try self.copy(planned)
        } catch {
            switch error {
            case .volume(let error): throw error
            case .notRegular(let kind): return failed("It is \(kind), not a regular file.")
            case .empty: return failed("The file is empty (0 bytes).")
            case .changed: return failed("It changed while it was being read.")
            case .unreadable(let reason): return failed(reason)
            }
        }
        var isKept = false
        defer { if !isKept { copy.discard() } }
        guard copy.digest.hexadecimal == stated.sha256 else {
            return failed(
                "It differs from the exported file: its SHA-256 is not \(stated.sha256)."
                    + Self.advice
            )
        }
        var file = StagedExport.File(planned: planned, stated: stated, staged: copy)
        if isMedium {
            if let refusal = try probe(&file, of: step, isShown: isShown) {
                return .refused(refusal)
            }
        }
        isKept = true
        return .file(file)
    }

    /// Returns the reason to refuse a file whose size differs from the size in the export; nil if
    /// the sizes are equal or the export states no size.
    static func sizeProblem(_ planned: MigrationPlan.File) -> String? {
        guard let stated = planned.stated, planned.entry.size != stated.size else { return nil }
        return "It has \(planned.entry.size) bytes, and had \(stated.size) when it was exported."
            + advice
    }

    private static let advice = " Export the library again, or copy the file again."

    private func copy(_ planned: MigrationPlan.File) throws(FileStager.Failure) -> StagedFile {
        let descriptor: Descriptor
        do throws(SourceFileFailure) { descriptor = try source.open(planned.entry) } catch {
            throw .unreadable(error.reason)
        }
        let copy = try FileStager(session: session, files: configuration.files)
            .stage(descriptor.number).file
        withExtendedLifetime(descriptor) {}
        return copy
    }

    private static func isMedium(_ type: ResourceType) -> Bool {
        type != .adjustmentData && type != .sidecar
    }

    // MARK: - Probing

    /// Reads the facts of a photo or movie; returns a refusal if the file does not match the
    /// export's description.
    private func probe(
        _ file: inout StagedExport.File,
        of step: ExportStep,
        isShown: Bool
    ) throws(LibraryError) -> Refusal? {
        let name = file.stated.originalFilename
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
        switch answer {
        case .facts(let facts, let pixels) where !facts.format.isSidecar:
            let isMovie = facts.format.isMovie
            guard Self.fits(file.stated.type, isMovie: isMovie) else {
                let word = isMovie ? "a movie" : "a picture"
                return Refusal(
                    outcome: .failed,
                    reason: "It is \(word), which the export does not state."
                )
            }
            file.facts = facts
            file.pixels = pixels
            let time = Double(file.planned.entry.modificationTime) / 1e9
            file.record = AssetDraft(
                capturePolicy: CaptureTimePolicy(machineTimeZone: configuration.timeZone)
            ).record(of: facts, filename: name, fileTime: Date(timeIntervalSince1970: time))
            return nil
        case .facts: return Refusal(outcome: .unsupported, reason: "It is not a photo or movie.")
        case .unsupported(let reason): return Refusal(outcome: .unsupported, reason: reason)
        case .failed(let reason, _): return Refusal(outcome: .failed, reason: reason)
        }
    }

    private static func fits(_ type: ResourceType, isMovie: Bool) -> Bool {
        switch type {
        case .video, .audio, .pairedVideo, .fullSizeVideo, .fullSizePairedVideo,
            .adjustmentBaseVideo, .adjustmentBasePairedVideo:
            isMovie
        case .photo, .alternatePhoto, .fullSizePhoto, .adjustmentBasePhoto: !isMovie
        case .photoProxy, .adjustmentData, .sidecar: true
        }
    }
}
