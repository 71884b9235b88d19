internal import Foundation
internal import LibraryService
internal import PhotoModel

/// Prepares a change set before the writer lock is taken: examines the staged files of new assets
/// and edits, and reads the originals of reverted assets.
struct ChangeStager: Sendable {
    var store: LibraryStore
    var prober: any MediaProber
    var configuration: ImportConfiguration
    /// The author of the changes.
    var editor: String
    var time: Date
    var progress: CommitProgress

    /// Returns whether a set contains files.
    static func needsFiles(_ changes: ChangeSet) -> Bool {
        changes.operations.contains { operation in
            switch operation.action {
            case .createAsset, .editContent: true
            default: false
            }
        }
    }

    /// Prepares the files of a set.
    ///
    /// - Parameters:
    ///   - changes: The change set.
    ///   - files: The files that the set names, which belong to the caller.
    ///   - session: The staging session.
    /// - Returns: The staged changes to commit.
    /// - Throws: The problem with a request's files or with the library's volume. No other file
    ///   stays staged.
    func stage(
        _ changes: ChangeSet,
        files: [FileToken: StagedSource],
        in session: StagingSession
    ) throws(LibraryError) -> StagedChanges {
        let stager = CreationStager(
            files: files,
            prober: prober,
            configuration: configuration,
            progress: progress
        )
        let edits = EditStager(stager: stager, session: session, editor: editor, time: time)
        var staged = StagedChanges(creations: try stager.stage(changes))
        do throws(LibraryError) {
            for (position, operation) in changes.operations.enumerated() {
                let edit: ContentEdit? =
                    switch operation.action {
                    case .createAsset(let creation): creation.content
                    case .editContent(_, let edit): edit
                    default: nil
                    }
                guard let edit else { continue }
                do throws(LibraryError) {
                    staged.edits[position] = try edits.stage(edit)
                } catch { throw CreationStager.named(error, position, in: changes) }
            }
            staged.originals = try originals(changes)
            return staged
        } catch {
            staged.discard()
            throw error
        }
    }

    /// Returns facts about the original of each asset that a set reverts, by position of the
    /// operation.
    ///
    /// - Throws: The reason why an original cannot be read; without it the asset cannot be
    ///   reverted.
    func originals(_ changes: ChangeSet) throws(LibraryError) -> [Int: OriginalFacts] {
        var originals: [Int: OriginalFacts] = [:]
        for (position, operation) in changes.operations.enumerated() {
            guard case .revertContent(let uuid, _) = operation.action else { continue }
            do throws(LibraryError) {
                let reader = OriginalReader(store: store, prober: prober)
                originals[position] = try reader.read(uuid)
            } catch { throw CreationStager.named(error, position, in: changes) }
        }
        return originals
    }
}
