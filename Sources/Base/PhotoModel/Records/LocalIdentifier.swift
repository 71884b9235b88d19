import FoundationEssentials

/// The kinds of objects in the journal, in identifiers and in fetches.
package enum ObjectKind: Int, Codable, Hashable, Sendable, CaseIterable {
    case asset = 1
    case album = 2
    case folder = 3
    case resource = 4
    /// A group of assets that share a place and a time.
    case moment = 5
    /// A group of moments, such as a cluster or a year.
    case momentList = 6

    /// The part of a local identifier after the UUID, as PhotoKit formats it.
    package var identifierSuffix: String {
        switch self {
        case .asset: "/L0/001"
        case .album: "/L0/040"
        case .folder: "/L0/020"
        case .resource: ""
        case .moment: "/L0/060"
        case .momentList: "/L0/080"
        }
    }
}

/// The public identifier of an object: an uppercase UUID and a kind, in PhotoKit's format.
package struct LocalIdentifier: Codable, Hashable, Sendable, CustomStringConvertible {
    package var uuid: String
    package var kind: ObjectKind

    package init(uuid: String, kind: ObjectKind) {
        self.uuid = uuid
        self.kind = kind
    }

    /// Creates a new, random identifier.
    package init(new kind: ObjectKind) {
        self.init(uuid: UUID().uuidString, kind: kind)
    }

    /// Parses an identifier such as `UUID/L0/001`.
    ///
    /// A bare UUID counts as an asset's, because programs store such identifiers (behavior 22).
    /// Returns nil for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let uuid = UUID(uuidString: String(first)) else {
            return nil
        }
        if parts.count == 1 {
            self.init(uuid: uuid.uuidString, kind: .asset)
            return
        }
        let suffix = "/" + parts[1]
        for kind in ObjectKind.allCases where kind.identifierSuffix == suffix {
            self.init(uuid: uuid.uuidString, kind: kind)
            return
        }
        return nil
    }

    package var description: String { uuid + kind.identifierSuffix }
}
