internal import Foundation
package import LibraryService
internal import PhotoModel
package import WorkerProtocol

/// Plans a migration without reading files: which files to import per asset, and what to report
/// about other files.
///
/// Has no side effects. A dry run reports its results; a real run carries them out.
package struct MigrationPlan: Sendable {
    /// A file to import for an asset.
    package struct File: Hashable, Sendable {
        package var role: ForeignResource.Role
        package var entry: SourceListing.Entry
        /// The volume that contains the file; nil if the source itself contains it.
        package var volume: String?
        /// The facts about the file that an export contains; nil for other sources.
        package var stated: StatedFile?
    }

    /// The decision about an asset.
    package enum Decision: Sendable {
        /// The asset is imported from these files; the first is its original or its proxy.
        case take([File])
        /// The asset is not imported.
        case leave
    }

    /// An expected file that is absent from the source.
    package struct Absent: Sendable {
        package var role: ForeignResource.Role
        package var line: MigrationLine
    }

    /// The decision about an asset, with report lines for absent files.
    package struct Step: Sendable {
        package var decision: Decision
        /// The files that the source has, without proxies; listed even if the asset is not
        /// imported.
        package var files: [File] = []
        /// The expected files that the source lacks; listed even if the asset is not imported.
        package var absent: [Absent] = []
        /// The report lines for absent files, and for the asset if it is not imported.
        package var lines: [MigrationLine]
        /// The notes to add to the asset's report line.
        package var notes: [MigrationNote]
        /// Indicates whether all expected files are present; staging sets it to false if a file
        /// cannot be imported.
        package var isComplete: Bool
    }

    package let kind: MigrationSourceKind
    package let listing: SourceListing
    /// The files on volumes with referenced originals, keyed by volume name.
    package let volumes: [String: SourceListing]
    package let options: MigrationOptions
    /// The explanation of an absent original of an Apple library, as the end of a sentence.
    private let absence: String

    package init(
        kind: MigrationSourceKind,
        listing: SourceListing,
        volumes: [String: SourceListing] = [:],
        options: MigrationOptions,
        absence: String = MigrationPlan.absence
    ) {
        self.kind = kind
        self.listing = listing
        self.volumes = volumes
        self.options = options
        self.absence = absence
    }

    /// Decides whether an asset is imported and from which files.
    package func step(for asset: ForeignAsset) -> Step {
        var notes = asset.notes.map { MigrationNote($0.code, .note, $0.text) }
        if asset.isShared, !options.includesShared {
            let line = MigrationLine(
                kind: kind,
                item: asset.item,
                path: nil,
                outcome: .skipped,
                reason: "It belongs to a shared album. Import it with --shared-albums.",
                notes: notes
            )
            return Step(decision: .leave, lines: [line], notes: [], isComplete: true)
        }
        if asset.isOfUnverifiedScope {
            notes.append(
                MigrationNote(
                    "unverifiedScope",
                    "It belongs to a shared library or was shared with you; no such library could be"
                        + " tried."
                )
            )
        }
        var files: [File] = []
        var absent: [Absent] = []
        for resource in asset.resources where resource.role != .proxy {
            if let file = file(for: resource) {
                files.append(file)
            } else if resource.isExpected {
                absent.append(Absent(role: resource.role, line: missing(resource, of: asset)))
            }
        }
        var lines = absent.map(\.line)
        if !files.contains(where: { $0.role == .render }) {
            // Without the edited picture, its movie and its base are of no use.
            files.removeAll { $0.role == .renderPairedVideo || $0.role == .adjustmentBase }
        }
        files.sort { Self.rank($0.role) < Self.rank($1.role) }
        guard files.first?.role == .original else {
            let proxy = asset.resources.first { $0.role == .proxy }.flatMap(file(for:))
            var decision = Decision.leave
            if options.includesProxies, let proxy {
                decision = .take([proxy])
            } else {
                lines.removeAll { !$0.isLeading }
            }
            return Step(
                decision: decision,
                files: files,
                absent: absent,
                lines: lines,
                notes: notes,
                isComplete: false
            )
        }
        return Step(
            decision: .take(files),
            files: files,
            absent: absent,
            lines: lines,
            notes: notes,
            isComplete: lines.isEmpty
        )
    }

    /// Returns report lines for files that are in folders of originals but that no asset
    /// references.
    ///
    /// `named` states for each position in the listing whether an asset names the file.
    package func orphans(besides named: [Bool], below folders: [String]) -> [MigrationLine] {
        named.indices.lazy.filter { !named[$0] }.map { listing[$0] }.filter { entry in
            folders.contains { entry.path.hasPrefix($0 + "/") }
        }.map { entry in
            MigrationLine(
                kind: kind,
                item: nil,
                path: entry.path,
                outcome: .skipped,
                reason: kind == .photosExport
                    ? "The export does not name this file. Import it by its path."
                    : "The library's database does not name this file. Import it by its path.",
                notes: [MigrationNote("orphanFile", "No photo of the library names this file.")],
                isLeading: false
            )
        }
    }

    // MARK: - Files

    /// Returns the file of a resource; nil if the file is absent.
    private func file(for resource: ForeignResource) -> File? {
        guard let listing = listing(of: resource) else { return nil }
        let entries = resource.locations.flatMap { listing.entries(at: $0) }
        let entry =
            switch resource.role {
            // The newer of two renderings counts.
            case .render, .adjustmentBase, .renderPairedVideo:
                entries.enumerated().max {
                    ($0.element.modificationTime, -$0.offset)
                        < ($1.element.modificationTime, -$1.offset)
                }?.element
            case .proxy: entries.max { $0.size < $1.size }
            default: entries.first
            }
        return entry.map { File(role: resource.role, entry: $0, volume: resource.volume) }
    }

    /// Returns the listing that may contain a resource's file; nil if no folder was given for the
    /// file's volume.
    private func listing(of resource: ForeignResource) -> SourceListing? {
        if let volume = resource.volume { return volumes[volume] }
        return listing
    }

    private static func rank(_ role: ForeignResource.Role) -> Int {
        ForeignResource.Role.allCases.firstIndex(of: role) ?? 0
    }

    /// Returns the local day of capture as a message fragment; empty if the day is unknown.
    private static func day(of asset: ForeignAsset) -> String {
        guard let seconds = asset.facts.creationDate else { return "" }
        let offset = Double(asset.facts.captureOffset ?? 0)
        let time = Date(timeIntervalSinceReferenceDate: seconds + offset).timeIntervalSince1970
        return " of \(WallTime(secondsSince1970: time).text.prefix(10))"
    }

    /// Returns whether an asset's adjustments are imported although the edit's rendered file is
    /// missing.
    private func keepsAdjustments(of asset: ForeignAsset) -> Bool {
        guard asset.edit?.formatIdentifier != ExternalRender.formatIdentifier else { return false }
        return asset.edit?.data != nil
            || asset.resources.contains { $0.role == .adjustments && file(for: $0) != nil }
    }

    private func missing(_ resource: ForeignResource, of asset: ForeignAsset) -> MigrationLine {
        let path: String? =
            switch resource.locations.first {
            case .path(let path): path
            default: nil
            }
        let isOriginal = resource.role == .original
        let name = asset.originalFilename
        let problem = resource.locations.first.flatMap {
            listing(of: resource)?.problem(at: $0)
        }
        let reason: String =
            if let problem {
                "The \(Self.word(resource.role)) of \(name) may be in a folder that cannot be read"
                    + " (\(problem.path)): \(problem.reason). Check the disk, and import again."
            } else if let volume = resource.volume {
                volumes[volume] == nil
                    ? "The \(Self.word(resource.role)) (\(path ?? name)) is on the volume “\(volume)”."
                        + " Name the folder with the volume's files: --volume \"\(volume)=PATH\"."
                    : "The \(Self.word(resource.role)) (\(path ?? name)) is not below the folder"
                        + " given for the volume “\(volume)”. Check that it is the volume's top"
                        + " folder: --volume \"\(volume)=PATH\"."
            } else if isOriginal, kind == .applePhotos {
                "The original (\(name)\(Self.day(of: asset))) " + absence
            } else if isOriginal {
                "The file (\(name)\(Self.day(of: asset))) is not there."
            } else {
                "The \(Self.word(resource.role)) of \(name) is not in the library."
                    + (resource.role == .render
                        ? " The photo was imported without its edit"
                            + (keepsAdjustments(of: asset) ? "; the adjustments are kept." : ".")
                        : "")
            }
        return MigrationLine(
            kind: kind,
            item: asset.item,
            path: path,
            volume: resource.volume,
            outcome: .missing,
            reason: reason,
            isLeading: isOriginal
        )
    }

    package static let absence =
        "is not in the library: it is only in iCloud, or the library was not copied completely. "
        + advice
    package static let advice =
        "Open this library in Photos on a Mac, choose Download Originals to this Mac, wait until it"
        + " finishes, and import again."

    private static func word(_ role: ForeignResource.Role) -> String {
        switch role {
        case .original, .proxy: "original"
        case .pairedVideo: "movie"
        case .alternatePhoto: "RAW file"
        case .cameraAdjustments, .adjustments: "adjustments"
        case .sidecar: "sidecar"
        case .render: "edited version"
        case .renderPairedVideo: "edited movie"
        case .adjustmentBase: "base of the edit"
        }
    }
}

extension SourceListing {
    /// Returns the notes about folders that could not be read.
    func notes(of place: String) -> [MigrationNote] {
        problems.map { problem in
            MigrationNote(
                "folderUnreadable",
                .error,
                (problem.path.isEmpty ? "The \(place)" : "\(problem.path) of the \(place)")
                    + " cannot be read: \(problem.reason). What is expected in it counts as missing."
            )
        }
    }
}
