internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// Probes and syncs the staged files of new assets before the writer lock is taken.
struct CreationStager: Sendable {
    /// The staged files of the change set by token; the caller owns the files.
    var files: [FileToken: StagedSource]
    var prober: any MediaProber
    var configuration: ImportConfiguration
    var progress: CommitProgress

    /// A file of an asset to create.
    private struct Item: Sendable {
        var operation: Int
        var resource: ResourceCreation
    }

    /// Prepares the files of all assets that a set creates.
    ///
    /// - Parameter set: The change set.
    /// - Returns: The staged creations by position of the operation.
    /// - Throws: The problem with a request's files or with the library's volume.
    func stage(_ set: ChangeSet) throws(LibraryError) -> [Int: StagedCreation] {
        let items = try items(of: set)
        guard !items.isEmpty else { return [:] }
        let parts = try Parallel.map(count: items.count, width: configuration.workerCount) {
            index
                throws(LibraryError) -> (operation: Int, part: CreationDraft.Part) in
            let item = items[index]
            do throws(LibraryError) {
                return (item.operation, try part(item.resource))
            } catch { throw Self.named(error, item.operation, in: set) }
        } discarding: { _ in
        }
        return try drafts(of: Dictionary(grouping: parts, by: \.operation), in: set)
    }

    // MARK: - Steps

    private func items(of set: ChangeSet) throws(LibraryError) -> [Item] {
        var items: [Item] = []
        for (position, operation) in set.operations.enumerated() {
            guard case .createAsset(let creation) = operation.action else { continue }
            do throws(LibraryError) {
                try Self.check(creation)
                items += creation.resources.map { Item(operation: position, resource: $0) }
            } catch { throw Self.named(error, position, in: set) }
        }
        return items
    }

    private func drafts(
        of parts: [Int: [(operation: Int, part: CreationDraft.Part)]],
        in set: ChangeSet
    )
        throws(LibraryError) -> [Int: StagedCreation]
    {
        var creations: [Int: StagedCreation] = [:]
        for (position, operation) in set.operations.enumerated() {
            guard case .createAsset(let creation) = operation.action, let parts = parts[position]
            else { continue }
            do throws(LibraryError) {
                creations[position] = try CreationDraft(
                    uuid: creation.uuid,
                    parts: parts.map(\.part)
                ).staged(edit: creation.edit)
            } catch { throw Self.named(error, position, in: set) }
        }
        return creations
    }

    /// Opens, probes and syncs a staged file, and closes it again.
    ///
    /// - Parameters:
    ///   - resource: The resource.
    ///   - check: Checks the open file once more.
    /// - Returns: The file and its facts.
    /// - Throws: The problem with the file, or with the library's volume.
    func part(
        _ resource: ResourceCreation,
        checking check: (inout CreationDraft.Part) throws(LibraryError) -> Void = { _ in }
    ) throws(LibraryError) -> CreationDraft.Part {
        try progress.beginFile()
        defer { progress.step() }
        guard let source = files[resource.file] else { throw .unknownToken(of: resource) }
        let file = source.file
        do throws(SystemError) { try file.reopen() } catch {
            throw error.libraryError("A staged file cannot be opened.")
        }
        defer { file.park() }
        var part = CreationDraft.Part(creation: resource, file: file)
        try probe(&part, fileTime: source.modificationTime)
        try check(&part)
        do throws(SystemError) { try file.sync() } catch {
            throw error.libraryError("A file cannot be written to the library's volume.")
        }
        return part
    }

    private func probe(_ part: inout CreationDraft.Part, fileTime: Int64) throws(LibraryError) {
        let path = part.creation.originalFilename ?? part.creation.path ?? ""
        let name = (path as NSString).lastPathComponent
        let answer: ProbeAnswer
        do {
            answer = try prober.probe(
                ProbeRequest(filename: name, renditionSide: configuration.renditionSide),
                descriptor: part.file.descriptor.number
            )
        } catch {
            throw LibraryError(
                .workerUnavailable,
                "\(CreationDraft.words(for: part.creation)) cannot be added: \(error.message)",
                reason: "The separate program that reads files cannot be started.",
                recovery: error.recovery
            )
        }
        switch answer {
        case .unsupported(let reason), .failed(let reason, _):
            // The content of adjustment data is up to the editor that wrote it.
            if part.creation.type == .adjustmentData { return }
            throw CreationDraft.invalid(
                part.creation,
                "is not a supported photo or video",
                reason: reason
            )
        case .facts(let facts, let rendition):
            let draft = AssetDraft(
                capturePolicy: CaptureTimePolicy(machineTimeZone: configuration.timeZone)
            )
            part.facts = facts
            part.rendition = rendition
            part.record = draft.record(
                of: facts,
                filename: name,
                fileTime: Date(timeIntervalSince1970: Double(fileTime) / 1e9)
            )
        }
    }

    // MARK: - Checks

    private static func check(_ creation: AssetCreation) throws(LibraryError) {
        let identifiers = [creation.uuid + ObjectKind.asset.identifierSuffix]
        guard !creation.resources.isEmpty else {
            throw LibraryError(
                .missingResource,
                "A new asset has no files.",
                reason: "An asset needs at least one photo, video or audio file.",
                recovery: "Add a resource to the request.",
                identifiers: identifiers
            )
        }
        if let problem = ResourceCombination.problem(with: creation.resources.map(\.type)) {
            throw LibraryError(
                .changeNotSupported,
                "The files of a new asset do not belong together.",
                reason: problem,
                recovery: "Check PHAssetCreationRequest.supportsAssetResourceTypes first.",
                identifiers: identifiers
            )
        }
    }

    static func named(_ error: LibraryError, _ position: Int, in set: ChangeSet)
        -> LibraryError
    {
        error.ofRequest(
            position + 1,
            of: set.operations.count,
            named: set.operations[position].request
        )
    }
}
