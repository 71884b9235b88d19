package import ProgramAccess

/// What a program asks for.
public enum PHAccessLevel: Int, Hashable, Sendable {
    /// Making assets, and seeing nothing.
    case addOnly = 1
    /// Seeing and changing.
    case readWrite = 2
}

extension AccessLevel {
    /// The level that a program names.
    package init(_ level: PHAccessLevel) {
        self =
            switch level {
            case .addOnly: .addOnly
            case .readWrite: .readWrite
            }
    }
}
