internal import LibraryService
internal import PhotoModel

/// The combined effect of one version on one object, merged from the version's journal entries.
struct HistoryEffect {
    /// The identity of an object; a resource's entries are attributed to its asset.
    struct Key: Hashable {
        var kind: ObjectKind
        var id: Int64
    }

    /// The object's UUID; nil if only its resources had entries.
    private(set) var uuid: String?
    /// Indicates whether the object existed outside of Recently Deleted before the version; nil if
    /// no entry indicates it.
    ///
    /// `isThere` is the same after the version. If both are nil, the object exists and its state
    /// did not change.
    private var wasThere: Bool?
    private var isThere: Bool?
    /// Indicates whether the asset was hidden before the version; nil if no entry indicates it.
    private var wasHidden: Bool?
    /// Indicates whether the asset is hidden after the version; nil if no entry indicates it.
    private var isHidden: Bool?
    private var contentChanged = false
    private var old: JournalEntry.Values = [:]
    private var new: JournalEntry.Values = [:]
    private var properties: Set<String> = []

    /// Adds the next entry of the object or of its resources.
    mutating func add(_ entry: JournalEntry) {
        if entry.kind == .resource {
            properties.insert("files")
            if Self.changesContent(entry) { contentChanged = true }
            return
        }
        uuid = entry.uuid
        if let before = Self.presence(entry.old, isWhole: entry.change == .delete) {
            learn(before)
        }
        if isHidden == nil { wasHidden = wasHidden ?? Self.isHidden(entry.old) }
        isHidden = Self.isHidden(entry.new) ?? isHidden
        switch entry.change {
        case .insert:
            learn(false)
            isThere = Self.presence(entry.new, isWhole: true)
        case .delete: isThere = false
        case .update:
            if let after = Self.presence(entry.new, isWhole: false) { isThere = after }
            old.merge(entry.old) { first, _ in first }
            new.merge(entry.new) { $1 }
        }
        if entry.contentChanged { contentChanged = true }
        properties.formUnion(entry.members?.totals ?? [])
        if let members = entry.members,
            members.inserted.count + members.removed.count > 0
                || !members.moved.isEmpty
        {
            properties.insert("members")
        }
    }

    /// Treats the asset as absent while it is hidden, as clients without hidden assets see it.
    ///
    /// - Parameters:
    ///   - hidden: Returns whether the asset is hidden before and after the version; called only if
    ///     no entry indicates it.
    ///   - present: Returns whether the asset exists outside of Recently Deleted before and after
    ///     the version; called only if no entry indicates it.
    /// - Throws: The errors of `hidden` and `present`.
    mutating func excludeHidden(
        _ hidden: () throws -> Bool,
        _ present: () throws -> Bool
    ) throws {
        let before = try wasHidden ?? isHidden ?? hidden()
        let after = isHidden ?? before
        let was = try wasThere ?? isThere ?? present()
        let now = isThere ?? was
        (wasThere, isThere) = (was && !before, now && !after)
    }

    /// Returns the change as clients see it; nil if clients see no difference.
    func change(of kind: ObjectKind, uuid: String) -> HistoryChange? {
        func change(_ what: HistoryChange.Kind, content: Bool, _ names: [String]) -> HistoryChange {
            HistoryChange(
                object: kind,
                uuid: uuid,
                kind: what,
                contentChanged: content,
                properties: names
            )
        }
        switch (wasThere ?? true, isThere ?? wasThere ?? true) {
        case (false, false): return nil
        case (false, true): return change(.inserted, content: true, [])
        case (true, false): return change(.deleted, content: true, [])
        case (true, true):
            let differing = new.filter { !$1.matches(old[$0] ?? .null) }.keys
            let names = properties.union(differing.compactMap(Self.property))
            guard !names.isEmpty || contentChanged else { return nil }
            return change(.updated, content: contentChanged, names.sorted())
        }
    }

    /// Records whether the object existed before an entry.
    private mutating func learn(_ before: Bool) {
        guard isThere == nil else { return }
        wasThere = wasThere ?? before
        isThere = before
    }

    /// Returns whether an object with the given values exists outside of Recently Deleted; nil if
    /// undetermined.
    private static func presence(_ values: JournalEntry.Values, isWhole: Bool) -> Bool? {
        guard let date = values["trashedDate"] else { return isWhole ? true : nil }
        return date == .null
    }

    /// Returns whether an asset with the given values is hidden; nil if undetermined.
    private static func isHidden(_ values: JournalEntry.Values) -> Bool? {
        guard case .integer(let flag)? = values["isHidden"] else { return nil }
        return flag != 0
    }

    /// Returns whether a resource's entry changes the visible or audible content; adjustment data
    /// and sidecars do not.
    private static func changesContent(_ entry: JournalEntry) -> Bool {
        let values = entry.new.isEmpty ? entry.old : entry.new
        guard case .integer(let raw)? = values["type"],
            let type = ResourceType(rawValue: Int(raw))
        else { return values["sha256"] != nil }
        return type != .adjustmentData && type != .sidecar
    }

    /// Returns the property that a column belongs to; nil for internal columns.
    private static func property(_ column: String) -> String? {
        switch column {
        case "isVisible", "isBurstHidden", "contentVersion", "trashedDate", "readerVersion",
            "personFacts":
            nil
        case "latitude", "longitude", "altitude": "location"
        case "captureWallTime", "captureOffset", "captureWallTimeSource", "captureInstantSource":
            "captureTime"
        case "parentId": "parent"
        default: column
        }
    }
}
