internal import Foundation
internal import GRDB
internal import Glibc
internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// Reads the original files of assets in the library, in the same way in which an import reads its
/// source files.
///
/// Originals are opened read-only and parsed by the worker. A file that is missing or differs from
/// its row stops the reading of its asset, since an incomplete set of files would yield other
/// values.
struct AssetReader: Sendable {
    /// An asset's rows, read before its files.
    struct Subject: Sendable {
        var asset: AssetRecord
        /// The asset's original files, the oldest first.
        var originals: [ResourceRecord]
        /// The modification time of each resource's source file at import, keyed by resource row
        /// id.
        var fileTimes: [Int64: Date]
        /// The resources whose files are only in the cloud.
        var away: Set<Int64>
        /// The sidecars that Takeout imports wrote.
        var ofTakeout: Set<Int64>

        init(_ asset: AssetRecord, in database: Database) throws {
            self.asset = asset
            originals = try Self.originals(ofAsset: asset.id, in: database)
            ofTakeout = try Set(
                TakeoutItems(database: database).named(originals)
                    .filter { $0.originalFilename == TakeoutSidecar.name }.map(\.id)
            )
            fileTimes = [:]
            away = try Set(
                Int64.fetchAll(
                    database.cachedStatement(
                        sql: "SELECT id FROM resource WHERE assetId = ? AND presence <> 0"
                    ),
                    arguments: [asset.id]
                )
            )
            let statement = try database.cachedStatement(
                sql: "SELECT min(modificationTime) FROM importedFile WHERE resourceId = ?"
            )
            for original in originals {
                guard let time = try Int64.fetchOne(statement, arguments: [original.id])
                else { continue }
                fileTimes[original.id] = Date(timeIntervalSince1970: Double(time) / 1e9)
            }
        }

        /// Returns the imported files of an asset, without adjustment data and the files of edits.
        static func originals(ofAsset id: Int64, in database: Database) throws -> [ResourceRecord] {
            let statement = try database.cachedStatement(
                sql: ResourceRecord.selectSQL + " WHERE resource.assetId = ? ORDER BY resource.id"
            )
            return try Row.fetchAll(statement, arguments: [id]).map(ResourceRecord.init(row:))
                .filter { !$0.isOfEdit && $0.type != .adjustmentData }
        }
    }

    /// The reason why an asset could not be read.
    struct Failure: Error {
        var kind: RefreshOutcome.Kind
        var reason: String
    }

    var root: String
    var prober: any MediaProber
    var draft: AssetDraft
    var files: FileOperations

    /// Reads the original files of an asset.
    ///
    /// - Parameters:
    ///   - subject: The asset.
    ///   - verifies: Whether each file's SHA-256 is compared as well, which is required before
    ///     values are replaced.
    /// - Returns: The contents, or the reason why they could not be read.
    /// - Throws: `workerUnavailable`.
    func read(_ subject: Subject, verifies: Bool) throws(LibraryError) -> Result<
        AssetReading, Failure
    > {
        guard let primary = subject.originals.first(where: { $0.type.isPrimary }) else {
            return .failure(Failure(kind: .missing, reason: "The asset has no original."))
        }
        var parts: [AssetReading.Part] = []
        var strays: [AssetReading.Stray] = []
        for resource in subject.originals {
            guard !subject.away.contains(resource.id) else {
                return .failure(
                    Failure(
                        kind: .missing,
                        reason: "\(resource.originalFilename) is in the cloud library and has not"
                            + " been downloaded yet."
                    )
                )
            }
            let answer: ProbeAnswer
            switch try probe(resource, verifies: verifies) {
            case .success(let found): answer = found
            case .failure(let failure): return .failure(failure)
            }
            switch answer {
            case .facts(let facts, _):
                let part = part(of: resource, facts, in: subject)
                if resource.type == .sidecar, !facts.format.isSidecar {
                    strays.append(AssetReading.Stray(resource: resource, medium: part))
                } else {
                    parts.append(part)
                }
            case .unsupported where resource.type == .sidecar:
                strays.append(AssetReading.Stray(resource: resource))
            case .unsupported(let reason), .failed(let reason, _):
                return .failure(
                    Failure(
                        kind: .failed,
                        reason: "\(resource.originalFilename) cannot be read: \(reason)"
                            + " Run photos verify --full to check whether it is damaged."
                    )
                )
            }
        }
        guard let first = parts.first(where: { $0.resource.id == primary.id }),
            first.record.mediaType == subject.asset.mediaType
        else {
            return .failure(
                Failure(
                    kind: .failed,
                    reason: "\(primary.originalFilename) is now recognized as another media type."
                        + " Export it and import it again."
                )
            )
        }
        var reading = AssetReading(
            assetID: subject.asset.id,
            resources: subject.originals,
            primary: first,
            hasFileTime: subject.fileTimes[primary.id] != nil
        )
        reading.partners = parts.filter {
            $0.resource.id != primary.id && $0.resource.type != .sidecar
        }
        reading.sidecars = parts.filter { part in
            part.resource.type == .sidecar && part.facts.format == .xmp
                && !subject.ofTakeout.contains(part.resource.id)
        }
        reading.strays = strays
        reading.isVerified = verifies
        return .success(reading)
    }

    private func part(
        of resource: ResourceRecord,
        _ facts: MediaFacts,
        in subject: Subject
    ) -> AssetReading.Part {
        AssetReading.Part(
            resource: resource,
            facts: facts,
            record: draft.record(
                of: facts,
                filename: resource.originalFilename,
                fileTime: subject.fileTimes[resource.id] ?? subject.asset.addedDate
            )
        )
    }

    private func probe(_ resource: ResourceRecord, verifies: Bool) throws(LibraryError) -> Result<
        ProbeAnswer, Failure
    > {
        let file: Descriptor
        do throws(SystemError) {
            file = try open(resource)
        } catch {
            let isMissing = error.number == ENOENT || error.number == ENOTDIR
            return .failure(
                Failure(
                    kind: isMissing ? .missing : .failed,
                    reason: isMissing
                        ? "\(resource.originalFilename) is missing (\(resource.path)). Import it"
                            + " again to restore it."
                        : "\(resource.originalFilename) cannot be read: \(error.reason)."
                )
            )
        }
        do throws(SystemError) {
            let status = try files.status(of: file.number)
            var isWhole = status.isRegularFile && status.size == resource.size
            if isWhole, verifies {
                isWhole = try files.digest(of: file.number).hexadecimal == resource.sha256
            }
            guard isWhole else { return .failure(Self.damaged(resource)) }
        } catch {
            return .failure(
                Failure(
                    kind: .failed,
                    reason: "\(resource.originalFilename) cannot be read: \(error.reason)."
                )
            )
        }
        do throws(WorkerError) {
            let request = ProbeRequest(filename: resource.originalFilename, renditionSide: 0)
            return .success(
                try withExtendedLifetime(file) { () throws(WorkerError) in
                    try prober.probe(request, descriptor: file.number)
                }
            )
        } catch {
            throw LibraryError(
                .workerUnavailable,
                "Originals cannot be read again: \(error.message)",
                recovery: error.recovery
            )
        }
    }

    private func open(_ resource: ResourceRecord) throws(SystemError) -> Descriptor {
        try files.open(root + "/" + resource.path, O_RDONLY | O_NONBLOCK)
    }

    private static func damaged(_ resource: ResourceRecord) -> Failure {
        Failure(
            kind: .failed,
            reason: "\(resource.originalFilename) is damaged: it is not the file that was imported"
                + " (\(resource.path)). Import it again to restore it."
        )
    }
}
