internal import Photos
internal import PhotosManagement
internal import Synchronization

/// Rotates photos by quarter turns.
///
/// The rotation is added to a photo's present edit, as an edit in the open format.
struct RotationController {
    /// The maximum number of photos per command, since each is rendered at full size.
    static let limit = 100

    /// The number of attempts to rotate photos that are edited meanwhile.
    private static let attempts = 3

    /// Serializes rotations, so that each starts from the result of the previous one.
    private static let lock = Mutex(())

    let controller: ChangeController

    /// A photo and the change that rotates it.
    private struct Step {
        let photo: PHAsset
        /// The content version of the photo that was rendered; nil if the photo did not exist.
        let version: Int?
        /// The rendered photo; nil to revert the photo to its original, because the rotation
        /// cancels an earlier rotation and no other adjustment remains.
        let output: PHContentEditingOutput?

        func request() {
            let request = PHAssetChangeRequest(for: photo)
            if let output {
                request.contentEditingOutput = output
            } else {
                request.revertAssetContentToOriginal()
            }
        }
    }

    /// Rotates, in a single change, the photos that the command names; ignores assets that are not
    /// photos.
    ///
    /// The photos are decoded and encoded before the change, so that other changes do not wait
    /// meanwhile. Those that are edited meanwhile are rendered again, from that edit.
    ///
    /// - Throws: ``RequestError`` when there are too many photos or none, or one is in Recently
    ///   Deleted; with `changed` when the photos are edited again and again.
    func perform() throws -> ChangeController.Outcome {
        try Self.lock.withLock { _ in try rotate() }
    }

    private func rotate() throws -> ChangeController.Outcome {
        let turns = try turns()
        let photos = try photos()
        let versions = try versions(of: photos)
        var steps = try photos.map { try step($0, at: versions[$0.localIdentifier], by: turns) }
        var attempt = 1
        while true {
            do {
                return try commit(steps)
            } catch let error as RequestError
                where error.code == .changed && attempt < Self.attempts
            {
                attempt += 1
                steps = try renewed(steps, by: turns)
            }
        }
    }

    /// Commits the steps.
    ///
    /// - Throws: ``RequestError`` with `changed` when a photo has another content version than the
    ///   one that was rendered.
    private func commit(_ steps: [Step]) throws -> ChangeController.Outcome {
        try controller.perform {
            let versions = try versions(of: steps.map(\.photo))
            guard steps.allSatisfy({ versions[$0.photo.localIdentifier] == $0.version }) else {
                throw RequestError(
                    .changed,
                    "The photos were edited meanwhile.",
                    reason: "Another window or program edited them while they were rotated.",
                    recovery: "Rotate them again."
                )
            }
            try controller.commit { for step in steps { step.request() } }
            return ChangeController.Outcome(count: steps.count)
        }
    }

    /// Returns the steps, with new ones for the photos that have another content version now.
    private func renewed(_ steps: [Step], by turns: Int) throws -> [Step] {
        let versions = try versions(of: steps.map(\.photo))
        return try steps.map { old in
            let version = versions[old.photo.localIdentifier]
            return try version == old.version ? old : step(old.photo, at: version, by: turns)
        }
    }

    private func turns() throws -> Int {
        guard case .number(let number)? = controller.command.value,
            let turns = Int(exactly: number),
            (-3...3).contains(turns), turns != 0
        else { throw controller.bad("a number of clockwise quarter turns from -3 to 3") }
        return turns
    }

    private func photos() throws -> [PHAsset] {
        let photos = try controller.assets().filter { $0.mediaType == .image }
        guard !photos.isEmpty else { throw RequestError(.refused, "Only photos can be rotated.") }
        guard photos.count <= Self.limit else {
            throw RequestError(.refused, "At most \(Self.limit) photos can be rotated at once.")
        }
        return photos
    }

    /// Returns the content versions of photos by local identifier.
    ///
    /// - Throws: ``RequestError`` when a photo is in Recently Deleted.
    private func versions(of photos: [PHAsset]) throws -> [String: Int] {
        let facts = try controller.library.facts(for: photos.map(\.localIdentifier))
        guard facts.allSatisfy({ $0.trashedDate == nil }) else {
            throw RequestError(
                .refused,
                "Photos in Recently Deleted cannot be rotated.",
                recovery: "Restore them first."
            )
        }
        return Dictionary(facts.map { ($0.localIdentifier, $0.contentVersion) }) { first, _ in
            first
        }
    }

    /// Renders a photo, whose content version was read before this call.
    private func step(_ photo: PHAsset, at version: Int?, by turns: Int) throws -> Step {
        var edit = try PhotoEdit(of: photo)
        edit.adjustments.turn(by: turns)
        // If another program's edit is the base, the rendering starts from it and not from the
        // original.
        let beginsWithOriginal =
            try edit.continuesPresentEdit
            && !controller.library
                .resources(of: photo.localIdentifier).contains { $0.role == .adjustmentBasePhoto }
        let isOriginal = edit.adjustments.isIdentity && beginsWithOriginal
        let output = try isOriginal ? nil : edit.output()
        return Step(photo: photo, version: version, output: output)
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
