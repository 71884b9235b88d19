package import FoundationEssentials
package import PhotoModel

/// Asks for changes to be made: all of them, durably, or none.
///
/// Files come beside, in the order in which `ResourceCreation.file` counts them; the engine copies
/// them, and only the client removes what it moves.
package struct CommitRequest: Codable, Hashable, Sendable {
    /// Who changes, for the journal.
    package var author: String
    package var changes: ChangeSet
    /// Set when the changes were made elsewhere and are only recorded here.
    package var origin: RemoteOrigin?

    package init(author: String, changes: ChangeSet, origin: RemoteOrigin? = nil) {
        self.author = author
        self.changes = changes
        self.origin = origin
    }
}

/// Where and when changes were first made, when that was not here and now.
package struct RemoteOrigin: Codable, Hashable, Sendable {
    package var author: String
    package var time: Date
    package init(author: String, time: Date) {
        self.author = author
        self.time = time
    }
}

/// What was committed.
package struct CommitReply: Codable, Hashable, Sendable {
    /// The version that holds the changes; the present one when there was nothing to change.
    package var version: Int64
    /// Whether the changes made that version; false when the library already was as they ask for.
    package var isChange: Bool
    /// For albums that were found instead of made: the UUID asked for, and the one that there is.
    package var reused: [String: String]
    package init(version: Int64, isChange: Bool = true, reused: [String: String] = [:]) {
        self.version = version
        self.isChange = isChange
        self.reused = reused
    }
}

/// What a change block recorded, in its order.
///
/// Objects are named by UUID; those that the same set makes can be named by later operations.
package struct ChangeSet: Codable, Hashable, Sendable {
    package var operations: [ChangeOperation]
    package init(operations: [ChangeOperation] = []) { self.operations = operations }
}

/// One recorded operation.
package struct ChangeOperation: Codable, Hashable, Sendable {
    /// The client's words for the request that it comes from, for errors:
    /// `PHAssetChangeRequest.deleteAssets(_:)`.
    package var request: String
    package var action: ChangeAction
    package init(request: String, action: ChangeAction) {
        self.request = request
        self.action = action
    }
}

/// What an operation does.
package enum ChangeAction: Codable, Hashable, Sendable {
    case createAsset(AssetCreation)
    case editAsset(uuid: String, AssetEdit)
    /// A new rendering in place of what is shown; the originals stay.
    case editContent(uuid: String, ContentEdit)
    /// Back to the original; with a choice, to that one of two (see `AssetEdit`).
    ///
    /// An asset without an edit stays as it is, except for the choice.
    case revertContent(uuid: String, choice: Int?)
    /// To Recently Deleted; those that are there already stay as they are.
    case deleteAssets([String])
    /// Out of Recently Deleted.
    case restoreAssets([String])
    /// For good, with their files; only from Recently Deleted.
    case purgeAssets([String])
    case createCollection(CollectionCreation)
    case retitleCollection(uuid: String, title: String)
    /// Albums keep their assets alive; folders take the collections in them along.
    case deleteCollections([String])
    /// Which assets an album has, and in which order.
    case editMembers(album: String, ListEdit)
    /// Which collections a folder has, and in which order; `CollectionRecord.rootUUID` for the root.
    case editChildren(folder: String, ListEdit)
}

/// A new asset made of files.
package struct AssetCreation: Codable, Hashable, Sendable {
    package var uuid: String
    package var resources: [ResourceCreation]
    /// What is set beside what the files say.
    package var edit: AssetEdit
    /// How its content is edited from the beginning; nil for not at all.
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

/// One file of a new asset.
package struct ResourceCreation: Codable, Hashable, Sendable {
    package var type: ResourceType
    /// Its place among the descriptors that come beside.
    package var file: Int
    package var originalFilename: String?
    /// A uniform type identifier; what the bytes say counts where the two differ.
    package var contentType: String?
    /// Where the client has it, for errors.
    package var path: String?

    package init(
        type: ResourceType,
        file: Int,
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

/// New values of an asset's properties; what is nil stays as it is.
package struct AssetEdit: Codable, Hashable, Sendable {
    package var creationDate: FieldEdit<Date>?
    package var location: FieldEdit<Location>?
    package var title: FieldEdit<String>?
    package var caption: FieldEdit<String>?
    package var isFavorite: Bool?
    package var isHidden: Bool?
    /// -1...5: 0 for none, -1 for rejected.
    package var rating: Int?
    /// Added where absent, in this order, before the removals.
    package var addedKeywords: [String] = []
    package var removedKeywords: [String] = []
    /// Whether a Live Photo moves.
    package var isLivePhotoPlaybackEnabled: Bool?
    /// The raw value of `PHAsset.OriginalResourceChoice`; of a RAW and JPEG pair.
    package var originalResourceChoice: Int?
    /// Whether the user picked it, of the frames of its burst.
    package var isBurstPick: Bool?

    package init() {}
}

/// A new value of a property that can be without one.
package enum FieldEdit<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    case clear
    case set(Value)
}

/// A new album or folder.
package struct CollectionCreation: Codable, Hashable, Sendable {
    package var uuid: String
    /// `album` or `folder`.
    package var kind: ObjectKind
    package var title: String
    /// Whether an album or folder of that title in the root folder is taken instead when there is
    /// one: the oldest.
    package var reusesTitled: Bool
    package init(uuid: String, kind: ObjectKind, title: String, reusesTitled: Bool = false) {
        self.uuid = uuid
        self.kind = kind
        self.title = title
        self.reusesTitled = reusesTitled
    }
}

/// Changes of the order and the members of an album or a folder.
package struct ListEdit: Codable, Hashable, Sendable {
    /// Row ids of the list that indexes count in: what the client had fetched (behaviour 128).
    ///
    /// Nil: the list as it is at the commit, in its own order, as a fetch without options shows it.
    package var basis: RowIDBuffer?
    package var steps: [Step]
    package init(basis: RowIDBuffer? = nil, steps: [Step]) {
        self.basis = basis
        self.steps = steps
    }

    /// One change; indexes count in the list as the steps before left it.
    package enum Step: Codable, Hashable, Sendable {
        /// At the end; members that the list has stay where they are (behaviour 130).
        case add([String])
        /// The objects end up at these ascending indexes; a member that the list has moves there.
        case insert([String], at: [Int])
        case remove([String])
        case removeAt([Int])
        /// As many as there are indexes.
        case replace(at: [Int], with: [String])
        /// Taken out first, then put in so that the first is at `to` (behaviour 129).
        case move(from: [Int], to: Int)
    }
}

/// Takes the last change back, or the last undoing.
package struct UndoRequest: Codable, Hashable, Sendable {
    package var author: String
    /// Whether it is an undoing that is taken back, so that what was undone is there again.
    package var redoes: Bool
    /// Whether to report only what would be undone: everything is checked, and nothing is changed.
    package var isTrial: Bool
    /// The library's version that has to be the present one; nil for any.
    package var expectedVersion: Int64?
    package init(
        author: String,
        redoes: Bool = false,
        isTrial: Bool = false,
        expectedVersion: Int64? = nil
    ) {
        self.author = author
        self.redoes = redoes
        self.isTrial = isTrial
        self.expectedVersion = expectedVersion
    }
}

/// What was taken back.
package struct UndoReply: Codable, Hashable, Sendable {
    /// The version that holds the undoing, or the redoing; of a trial, the present one.
    package var version: Int64
    /// What was undone or is there again, the latest first: several versions when one import made them.
    package var undone: [HistoryVersion]
    package init(version: Int64, undone: [HistoryVersion]) {
        self.version = version
        self.undone = undone
    }
}
