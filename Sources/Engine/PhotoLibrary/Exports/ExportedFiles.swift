internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// The files that an export lists for an asset, grouped by role.
///
/// Each file that is present has its entry in the source listing.
///
/// Has no side effects.
struct ExportedFiles: Sendable {
    /// A file that the export lists.
    struct File: Sendable {
        var role: ForeignResource.Role
        var stated: StatedFile
        /// The path in the export; nil if the export could not write the file.
        var path: String?
        /// The file's entry in the source listing; nil if the file is absent.
        var entry: SourceListing.Entry?

        var key: String { ExportFacts.key(stated.type, stated.sha256) }
        /// The file to stage; nil if the file is absent.
        var planned: MigrationPlan.File? {
            entry.map { MigrationPlan.File(role: role, entry: $0, volume: nil, stated: stated) }
        }
    }

    /// The original, or the smaller version that the export has instead.
    private(set) var original: File?
    /// The other files that do not belong to an edit.
    private(set) var others: [File] = []
    /// The files of the edit; empty for an unedited asset.
    private(set) var edit: [File] = []
    private(set) var notes: [MigrationNote] = []

    init(_ asset: ForeignAsset, _ exact: AssetRecord, in listing: SourceListing) {
        var made: [File] = []
        for resource in asset.resources {
            guard let stated = resource.stated else { continue }
            var path: String?
            if case .path(let text)? = resource.locations.first { path = text }
            let file = File(
                role: resource.role,
                stated: stated,
                path: path,
                entry: resource.locations.first.flatMap { listing.entries(at: $0).first }
            )
            if stated.isOfEdit {
                made.append(file)
            } else if resource.role != .original {
                others.append(file)
            } else if original == nil {
                original = file
            } else {
                notes.append(
                    MigrationNote("unknownType", "It has more than one original; one was left out.")
                )
            }
        }
        let render: ResourceType = exact.mediaType == .video ? .fullSizeVideo : .fullSizePhoto
        let types = made.map(\.stated.type)
        if exact.hasAdjustments, types.contains(render), types.contains(.adjustmentData) {
            edit = made
        } else if exact.hasAdjustments || !made.isEmpty {
            notes.append(
                MigrationNote(
                    "editNotTaken",
                    "Its edit is not whole in the export and was left out."
                )
            )
        }
    }

    /// The key of the edit's rendered file; nil for an unedited asset.
    var renderKey: String? { edit.first { $0.role == .render }?.key }

    /// The files that do not belong to an edit, the original first.
    var kept: [File] { (original.map { [$0] } ?? []) + others }

    /// Returns the key of the rendered file among an asset's resources; nil if the asset is
    /// unedited.
    static func renderKey(of resources: [ResourceRecord]) -> String? {
        resources.last { $0.isOfEdit && [.fullSizePhoto, .fullSizeVideo].contains($0.type) }
            .map { ExportFacts.key($0.type, $0.sha256) }
    }
}
