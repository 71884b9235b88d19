internal import Photos
internal import PhotosManagement
internal import Synchronization

/// Rotates photos by quarter turns.
///
/// The rotation is added to a photo's present edit, as an edit in the open format.
struct RotationController {
    /// The maximum number of photos per command, since each is rendered at full size.
    static let limit = 100

    /// Serializes rotations, so that each starts from the result of the previous one.
    private static let lock = Mutex(())

    let controller: ChangeController

    /// A photo and the change that rotates it.
    private enum Step {
        case save(PHAsset, PHContentEditingOutput)
        /// A photo to revert to its original, because the rotation cancels an earlier rotation and
        /// no other adjustment remains.
        case revert(PHAsset)

        func request() {
            switch self {
            case .save(let asset, let output):
                PHAssetChangeRequest(for: asset).contentEditingOutput = output
            case .revert(let asset):
                PHAssetChangeRequest(for: asset).revertAssetContentToOriginal()
            }
        }
    }

    /// Rotates, in a single change, the photos that the command names; ignores assets that are not
    /// photos.
    ///
    /// The photos are decoded and encoded before the change, so that other changes do not wait
    /// meanwhile.
    ///
    /// - Throws: ``RequestError`` when there are too many photos or none, or one is in Recently
    ///   Deleted.
    func perform() throws -> ChangeController.Outcome {
        try Self.lock.withLock { _ in
            let steps = try steps()
            return try controller.perform {
                try controller.commit { for step in steps { step.request() } }
                return ChangeController.Outcome(count: steps.count)
            }
        }
    }

    private func steps() throws -> [Step] {
        guard case .number(let number)? = controller.command.value,
            let turns = Int(exactly: number),
            (-3...3).contains(turns), turns != 0
        else { throw controller.bad("a number of clockwise quarter turns from -3 to 3") }
        let photos = try controller.assets().filter { $0.mediaType == .image }
        guard !photos.isEmpty else { throw RequestError(.refused, "Only photos can be rotated.") }
        guard photos.count <= Self.limit else {
            throw RequestError(.refused, "At most \(Self.limit) photos can be rotated at once.")
        }
        let facts = try controller.library.facts(for: photos.map(\.localIdentifier))
        guard facts.allSatisfy({ $0.trashedDate == nil }) else {
            throw RequestError(
                .refused,
                "Photos in Recently Deleted cannot be rotated.",
                recovery: "Restore them first."
            )
        }
        return try photos.map { try step($0, by: turns) }
    }

    private func step(_ photo: PHAsset, by turns: Int) throws -> Step {
        var edit = try PhotoEdit(of: photo)
        edit.adjustments.turn(by: turns)
        // If another program's edit is the base, the rendering starts from it and not from the
        // original.
        let beginsWithOriginal =
            try edit.continuesPresentEdit
            && !controller.library
                .resources(of: photo.localIdentifier).contains { $0.role == .adjustmentBasePhoto }
        if edit.adjustments.isIdentity, beginsWithOriginal { return .revert(photo) }
        return .save(photo, try edit.output())
    }
}

extension PhotoAdjustments {
    /// Rotates the rendered image clockwise by quarter turns, and adapts the crop rectangle so that
    /// the image shows the same content.
    mutating func turn(by quarters: Int) {
        let quarters = ((quarters % 4) + 4) % 4
        quarterTurns = (quarterTurns + quarters) % 4
        for _ in 0..<quarters {
            guard let old = crop else { return }
            crop = UnitRect(
                x: max(0, 1 - old.y - old.height),
                y: old.x,
                width: old.height,
                height: old.width
            )
        }
    }
}
