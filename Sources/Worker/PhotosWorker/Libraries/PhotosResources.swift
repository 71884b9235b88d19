internal import WorkerProtocol

/// The possible locations of an asset's files in a library of Photos 5 or later.
struct PhotosResources {
    var uuid: String
    var directory: String
    var filename: String
    var model: Int
    /// The roles of the asset's files that exist according to the database.
    var stated: Set<ForeignResource.Role>
    var volume: String?
    var asset: ForeignAsset

    var resources: [ForeignResource] {
        guard !uuid.isEmpty, !filename.isEmpty else {
            return [ForeignResource(.original, [], isExpected: true)]
        }
        var result = originals
        if asset.isShared { return result }
        let first = uuid.prefix(1)
        let render = "resources/renders/\(first)/\(uuid)"
        if let edit = asset.edit {
            result.append(
                ForeignResource(
                    .render,
                    asset.isVideo
                        ? [.path(render + "_2_0_a.mov")]
                        : [.path(render + "_1_201_a.heic"), .path(render + "_1_201_a.jpeg")],
                    isExpected: edit.hasRender
                )
            )
            result.append(
                ForeignResource(
                    .renderPairedVideo,
                    [.path(render + "_2_100_a.mov")],
                    isExpected: stated.contains(.renderPairedVideo)
                )
            )
            result.append(
                ForeignResource(
                    .adjustmentBase,
                    [.path(render + "_p.jpeg"), .path(render + "_p.heic")],
                    isExpected: stated.contains(.adjustmentBase)
                )
            )
            result.append(
                ForeignResource(.adjustments, [.path(render + ".plist")], isExpected: false)
            )
        }
        result.append(
            ForeignResource(
                .proxy,
                [
                    .prefix(render + "_"),
                    .prefix("resources/derivatives/masters/\(first)/\(uuid)_"),
                    .prefix("resources/derivatives/\(first)/\(uuid)_"),
                ],
                isExpected: false
            )
        )
        return result
    }

    private var originals: [ForeignResource] {
        if asset.isShared {
            let folder = model >= 16_000 ? "scopes" : "resources"
            let name = asset.isVideo ? uuid + ".medium.MP4" : filename
            let path = "\(folder)/cloudsharing/data/\(directory)/\(name)"
            return [ForeignResource(.original, [.path(path)], isExpected: true)]
        }
        // A referenced original has an absolute folder, or a folder on a volume.
        let isElsewhere = directory.hasPrefix("/") || asset.isReferenced
        var (folder, volume) = ("originals/" + directory, nil as String?)
        if isElsewhere {
            (volume, folder) = Self.place(of: directory, on: self.volume)
        }
        let (stem, _) = ForeignValue.parts(filename)
        let start = folder.isEmpty ? "" : folder + "/"
        // What others shared may be in a folder of its own.
        let isInScope = asset.isOfUnverifiedScope && !isElsewhere
        let starts = [start] + (isInScope ? Self.scopes.map { "scopes/\($0)/" + start } : [])
        func resource(
            _ role: ForeignResource.Role,
            _ name: String,
            _ isExpected: Bool,
            isPrefix: Bool = false
        ) -> ForeignResource {
            ForeignResource(
                role,
                starts.map { isPrefix ? .prefix($0 + name) : .path($0 + name) },
                isExpected: isExpected,
                volume: volume
            )
        }
        var result = [resource(.original, filename, true)]
        if asset.subtypes.contains(.live) {
            result.append(resource(.pairedVideo, stem + "_3.mov", true))
        }
        if stated.contains(.alternatePhoto) {
            result.append(resource(.alternatePhoto, stem + "_4.", true, isPrefix: true))
        }
        for (role, end) in [
            (ForeignResource.Role.cameraAdjustments, "_5.aae"), (.sidecar, "_5.xmp"),
        ] {
            result.append(resource(role, stem + end, stated.contains(role)))
        }
        return result
    }

    /// The folders of originals that other people shared: in messages, and in shared moments.
    private static let scopes = ["syndication", "momentshared"]

    /// Returns the name of the volume that contains a folder, and the folder's path on that volume.
    private static func place(of directory: String, on volume: String?) -> (String, String) {
        let parts = directory.split(separator: "/").map(String.init)
        if parts.count >= 2, parts[0] == "Volumes" {
            return (parts[1], parts.dropFirst(2).joined(separator: "/"))
        }
        return (volume ?? "Macintosh HD", parts.joined(separator: "/"))
    }
}
