internal import Foundation
internal import LibraryService
internal import PhotoModel

/// Takes in what a change set needs besides rows, before the writer lock is taken: files of new assets
/// and of edits, and what the originals of reverted assets are.
struct ChangeStager: Sendable {
    var store: LibraryStore
    var prober: any MediaProber
    var configuration: ImportConfiguration
    /// Who makes the changes.
    var editor: String
    var time: Date

    /// Whether a set brings files.
    static func needsFiles(_ changes: ChangeSet) -> Bool {
        changes.operations.contains { operation in
            switch operation.action {
            case .createAsset, .editContent: true
            default: false
            }
        }
    }

    /// Stages the files of a set.
    ///
    /// - Parameters:
    ///   - changes: The set.
    ///   - files: The descriptors that it counts in.
    ///   - session: Where to stage.
    /// - Returns: What is to be committed.
    /// - Throws: What is wrong with a request's files, or with the library's volume; then nothing of
    ///   the set stays staged.
    func stage(_ changes: ChangeSet, files: [Descriptor], in session: StagingSession)
        throws(LibraryError) -> StagedChanges
    {
        let stager = CreationStager(
            session: session,
            prober: prober,
            configuration: configuration
        )
        let edits = EditStager(stager: stager, editor: editor, time: time)
        var staged = StagedChanges(creations: try stager.stage(changes, files: files))
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
                    staged.edits[position] = try edits.stage(edit, files: files)
                } catch { throw CreationStager.named(error, position, in: changes) }
            }
            staged.originals = try originals(changes)
            return staged
        } catch {
            staged.discard()
            throw error
        }
    }

    /// What the originals of the assets are that a set reverts.
    ///
    /// - Throws: Why an original cannot be read: without it there is nothing to go back to.
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
