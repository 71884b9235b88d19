package import LibraryService

/// The access level that a program requests.
public enum PHAccessLevel: Int, Hashable, Sendable {
    /// Permission to add assets, but not to see any.
    case addOnly = 1
    /// Permission to see and change assets.
    case readWrite = 2
}

extension AccessLevel {
    /// Creates the engine's access level for a PhotoKit access level.
    package init(_ level: PHAccessLevel) {
        self =
            switch level {
            case .addOnly: .addOnly
            case .readWrite: .readWrite
            }
    }
}
