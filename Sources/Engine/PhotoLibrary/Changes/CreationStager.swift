internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// Stages the files of new assets: copies, hashes, probes and syncs them before the writer lock is
/// taken.
struct CreationStager: Sendable {
    var session: StagingSession
    var prober: any MediaProber
    var configuration: ImportConfiguration

    /// A file of one creation.
    private struct Item: Sendable {
        var operation: Int
        var resource: ResourceCreation
        var descriptor: Descriptor
    }

    /// Stages the files of all assets that a set creates.
    ///
    /// - Parameters:
    ///   - set: The change set.
    ///   - files: The descriptors to which the set's resources refer by index.
    /// - Returns: The staged creations by position of the operation.
    /// - Throws: The problem with a request's files or with the library's volume. No file of the
    ///   set stays staged.
    func stage(_ set: ChangeSet, files: [Descriptor]) throws(LibraryError)
        -> [Int: StagedCreation]
    {
        let items = try items(of: set, files: files)
        guard !items.isEmpty else { return [:] }
        let parts = try Parallel.map(count: items.count, width: configuration.workerCount) {
            index
                throws(LibraryError) -> (operation: Int, part: CreationDraft.Part) in
            let item = items[index]
            do throws(LibraryError) {
                return (item.operation, try part(item.resource, item.descriptor))
            } catch { throw Self.named(error, item.operation, in: set) }
        } discarding: { result in
            result.part.file.discard()
        }
        do throws(LibraryError) {
            return try drafts(of: Dictionary(grouping: parts, by: \.operation), in: set)
        } catch {
            for staged in parts { staged.part.file.discard() }
            throw error
        }
    }

    // MARK: - Steps

    private func items(of set: ChangeSet, files: [Descriptor]) throws(LibraryError) -> [Item] {
        var items: [Item] = []
        for (position, operation) in set.operations.enumerated() {
            guard case .createAsset(let creation) = operation.action else { continue }
            do throws(LibraryError) {
                try Self.check(creation)
                for resource in creation.resources {
                    let descriptor = try Self.descriptor(of: resource, among: files)
                    items.append(
                        Item(operation: position, resource: resource, descriptor: descriptor)
                    )
                }
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

    /// Copies, probes and syncs a file.
    func part(_ resource: ResourceCreation, _ descriptor: Descriptor) throws(LibraryError)
        -> CreationDraft.Part
    {
        let (file, status) = try copy(resource, descriptor)
        do throws(LibraryError) {
            var part = CreationDraft.Part(creation: resource, file: file)
            try probe(&part, fileTime: status.modificationTime)
            do throws(SystemError) { try file.sync() } catch {
                throw error.libraryError("A file cannot be written to the library's volume.")
            }
            return part
        } catch {
            file.discard()
            throw error
        }
    }

    private func copy(_ resource: ResourceCreation, _ descriptor: Descriptor)
        throws(LibraryError) -> (StagedFile, FileStatus)
    {
        do {
            return try FileStager(session: session, files: configuration.files)
                .stage(descriptor.number)
        } catch {
            switch error {
            case .volume(let failure): throw failure
            case .notRegular(let kind):
                throw CreationDraft.invalid(
                    resource,
                    "cannot be added",
                    reason: "It is \(kind), not a regular file."
                )
            case .empty:
                throw CreationDraft.invalid(resource, "is empty", reason: "It has 0 bytes.")
            case .changed:
                throw CreationDraft.invalid(
                    resource,
                    "changed while it was being read",
                    reason: "A program was writing to it, so its content is inconsistent."
                )
            case .unreadable(let reason):
                throw CreationDraft.invalid(resource, "cannot be read", reason: reason)
            }
        }
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
        case .unsupported(let reason), .failed(let reason):
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

    static func descriptor(of resource: ResourceCreation, among files: [Descriptor])
        throws(LibraryError) -> Descriptor
    {
        guard files.indices.contains(resource.file) else {
            throw LibraryError(
                .invalidRequest,
                "\(CreationDraft.words(for: resource)) did not come with the request.",
                reason: "It is number \(resource.file) of \(files.count) files.",
                recovery: "Pass a descriptor for each file.",
                path: resource.path
            )
        }
        return files[resource.file]
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
