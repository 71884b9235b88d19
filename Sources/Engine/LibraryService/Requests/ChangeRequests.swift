package import FoundationEssentials
package import PhotoModel

/// A request to commit changes, durably and atomically.
///
/// New files have to be staged before. The engine does not remove the sources of moved files; that
/// is left to the client.
package struct CommitRequest: Codable, Hashable, Sendable {
    package var changes: ChangeSet

    package init(changes: ChangeSet) { self.changes = changes }
}

/// The result of a commit.
package struct CommitReply: Codable, Hashable, Sendable {
    /// The version that contains the changes; the current version when there was nothing to change.
    package var version: Int64
    /// Indicates whether the changes created a version; false when the library already was in the
    /// requested state.
    package var isChange: Bool
    /// The UUIDs of existing collections that are used instead of requested new ones, keyed by the
    /// UUIDs of the new ones.
    package var reused: [String: String]
    package init(version: Int64, isChange: Bool = true, reused: [String: String] = [:]) {
        self.version = version
        self.isChange = isChange
        self.reused = reused
    }
}

/// The operations recorded by a change block, in order.
///
/// Objects are referenced by UUID. Later operations may refer to objects that the same set creates.
package struct ChangeSet: Codable, Hashable, Sendable {
    package var operations: [ChangeOperation]
    package init(operations: [ChangeOperation] = []) { self.operations = operations }

    /// The files of all operations, in order.
    package var resources: [ResourceCreation] { operations.flatMap(\.action.resources) }

    /// Returns the change set with all file tokens transformed, in the order of `resources`.
    package func mappingTokens(_ transform: (FileToken) -> FileToken) -> ChangeSet {
        var set = self
        for index in set.operations.indices {
            set.operations[index].action.mapTokens(transform)
        }
        return set
    }
}

/// A recorded operation.
package struct ChangeOperation: Codable, Hashable, Sendable {
    /// The name of the client's request, for error messages, such as
    /// `PHAssetChangeRequest.deleteAssets(_:)`.
    package var request: String
    package var action: ChangeAction
    package init(request: String, action: ChangeAction) {
        self.request = request
        self.action = action
    }
}

/// The action of an operation.
package enum ChangeAction: Codable, Hashable, Sendable {
    case createAsset(AssetCreation)
    case editAsset(uuid: String, AssetEdit)
    /// Replaces the current rendering of an asset; the originals are kept.
    case editContent(uuid: String, ContentEdit)
    /// Reverts an asset to its original; `choice` selects one of two originals (see `AssetEdit`).
    ///
    /// An asset without an edit is unchanged, except for the choice.
    case revertContent(uuid: String, choice: Int?)
    /// Moves assets to Recently Deleted; assets already there are unchanged.
    case deleteAssets([String])
    /// Restores assets from Recently Deleted.
    case restoreAssets([String])
    /// Permanently deletes assets in Recently Deleted, with their files.
    case purgeAssets([String])
    case createCollection(CollectionCreation)
    case retitleCollection(uuid: String, title: String)
    /// Deletes albums and folders; the assets of the albums remain, but all albums and folders
    /// inside the folders are deleted, too.
    case deleteCollections([String])
    /// Changes the members of an album and their order.
    case editMembers(album: String, ListEdit)
    /// Changes the collections in a folder and their order; `CollectionRecord.rootUUID` denotes the
    /// root.
    case editChildren(folder: String, ListEdit)
}

/// A new asset created from files.
package struct AssetCreation: Codable, Hashable, Sendable {
    package var uuid: String
    package var resources: [ResourceCreation]
    /// The properties to set in addition to the files' metadata.
    package var edit: AssetEdit
    /// The initial content edit of the asset; nil for none.
    package var content: ContentEdit?

    package init(
        uuid: String,
        resources: [ResourceCreation] = [],
        edit: AssetEdit = AssetEdit(),
        content: ContentEdit? = nil
    ) {
        self.uuid = uuid
        self.resources = resources
        self.edit = edit
        self.content = content
    }
}

/// A file of a new asset or of an edit.
package struct ResourceCreation: Codable, Hashable, Sendable, ResourceNaming {
    package var type: ResourceType
    /// The staged file.
    ///
    /// Until a client stages its files, the number is the index of the file in its own list.
    package var file: FileToken
    package var originalFilename: String?
    /// The uniform type identifier; the type detected from the content takes precedence.
    package var contentType: String?
    /// The path of the file on the client's side, for error messages.
    package var path: String?

    package init(
        type: ResourceType,
        file: FileToken,
        originalFilename: String? = nil,
        contentType: String? = nil,
        path: String? = nil
    ) {
        self.type = type
        self.file = file
        self.originalFilename = originalFilename
        self.contentType = contentType
        self.path = path
    }
}

/// New values of an asset's properties; nil leaves a property unchanged.
package struct AssetEdit: Codable, Hashable, Sendable {
    package var creationDate: FieldEdit<Date>?
    package var location: FieldEdit<Location>?
    package var title: FieldEdit<String>?
    package var caption: FieldEdit<String>?
    package var isFavorite: Bool?
    package var isHidden: Bool?
    /// The rating, -1...5: 0 for none, -1 for rejected.
    package var rating: Int?
    /// The keywords to add, in this order; keywords that the asset already has are skipped.
    ///
    /// They are added before keywords are removed.
    package var addedKeywords: [String] = []
    package var removedKeywords: [String] = []
    /// Enables or disables playback of a Live Photo.
    package var isLivePhotoPlaybackEnabled: Bool?
    /// The raw value of `PHAsset.OriginalResourceChoice`, for a RAW and JPEG pair.
    package var originalResourceChoice: Int?
    /// Indicates whether to mark the asset as a user-picked frame of its burst.
    package var isBurstPick: Bool?

    package init() {}
}

/// A new value for an optional property.
package enum FieldEdit<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    case clear
    case set(Value)
}

/// A new album or folder.
package struct CollectionCreation: Codable, Hashable, Sendable {
    package var uuid: String
    /// The kind: `album` or `folder`.
    package var kind: ObjectKind
    package var title: String
    /// Indicates whether the oldest album or folder with this title in the root folder is reused,
    /// if one exists.
    package var reusesTitled: Bool
    package init(uuid: String, kind: ObjectKind, title: String, reusesTitled: Bool = false) {
        self.uuid = uuid
        self.kind = kind
        self.title = title
        self.reusesTitled = reusesTitled
    }
}

/// An edit of the members of an album or a folder and of their order.
package struct ListEdit: Codable, Hashable, Sendable {
    /// The row ids of the list as the client fetched it, to which the indexes of the steps refer
    /// (behavior 128).
    ///
    /// Nil for the list at the time of the commit, in its own order, as a fetch without options
    /// returns it.
    package var basis: RowIDBuffer?
    package var steps: [Step]
    package init(basis: RowIDBuffer? = nil, steps: [Step]) {
        self.basis = basis
        self.steps = steps
    }

    /// A step of the edit; its indexes refer to the list after the preceding steps.
    package enum Step: Codable, Hashable, Sendable {
        /// Appends objects; existing members keep their positions (behavior 130).
        case add([String])
        /// Inserts objects so that they end up at these ascending indexes; existing members move
        /// there.
        case insert([String], at: [Int])
        case remove([String])
        case removeAt([Int])
        /// Replaces the objects at the indexes; both arrays have the same length.
        case replace(at: [Int], with: [String])
        /// Removes the objects at `from`, then inserts them so that the first one is at `to`
        /// (behavior 129).
        case move(from: [Int], to: Int)
    }
}

/// A request to undo or redo the most recent change.
package struct UndoRequest: Codable, Hashable, Sendable {
    /// Indicates whether to redo the most recently undone change instead of undoing a change.
    package var redoes: Bool
    /// Indicates whether the request is a dry run, which reports the transactions that would be
    /// undone.
    ///
    /// All checks are made, but nothing is changed.
    package var isTrial: Bool
    /// The version that must be the library's current one; nil for any.
    package var expectedVersion: Int64?
    /// The version of the change that must be the next one to undo or redo, for a change with
    /// several versions its last; nil for any.
    package var expectedTarget: Int64?
    package init(
        redoes: Bool = false,
        isTrial: Bool = false,
        expectedVersion: Int64? = nil,
        expectedTarget: Int64? = nil
    ) {
        self.redoes = redoes
        self.isTrial = isTrial
        self.expectedVersion = expectedVersion
        self.expectedTarget = expectedTarget
    }
}

/// The result of an undo or a redo.
package struct UndoReply: Codable, Hashable, Sendable {
    /// The version that the undo or redo created; for a trial, the current version.
    package var version: Int64
    /// The undone or redone transactions, the latest first; an import can consist of several.
    package var undone: [HistoryVersion]
    package init(version: Int64, undone: [HistoryVersion]) {
        self.version = version
        self.undone = undone
    }
}
