public import Foundation
internal import LibraryService
internal import PhotoModel
public import Photos
internal import ProgramAccess

/// What this user chose for one program.
///
/// Choices are kept outside of any library, in `$XDG_STATE_HOME/swift-photos/access`, and take effect
/// at once in programs that run. In process they are a convention between well-behaved programs: one
/// of the same user can always read the library's files. Nothing is asked of whoever opens a library
/// by its place with ``PhotoLibraryBundle``, which is its owner's way.
public struct ProgramPermission: Sendable, Hashable {
    /// The Flatpak id, the bundle identifier, or the real path of the executable.
    public var program: String
    /// What people call it; nil for one that was never run.
    public var name: String?
    /// What it may do with assets that there are.
    public var readWrite: PHAuthorizationStatus
    /// Whether it may make assets.
    public var addOnly: PHAuthorizationStatus
    /// How many assets it may see while it is limited, in all libraries together.
    public var selectedAssetCount: Int
    /// Whether hidden assets are among those that it may see.
    public var includesHidden: Bool
    /// When it last used a library as it was permitted to, to a day; nil when it never did.
    public var lastUsed: Date?

    private init(program: String, _ choice: AccessChoice) {
        self.program = program
        name = choice.name
        readWrite = PHAuthorizationStatus(choice.readWrite)
        addOnly = PHAuthorizationStatus(choice.status(for: .addOnly))
        selectedAssetCount = choice.selections.values.reduce(0) { $0 + $1.count }
        includesHidden = choice.includesHidden
        lastUsed = AccessStore.standard.uses.last(of: program)
    }

    // MARK: - Looking

    /// All programs about which something was chosen, in the order of their identifiers.
    ///
    /// - Throws: `PHPhotosError` when the choices cannot be read.
    public static func all() throws -> [ProgramPermission] {
        let programs = try edge { () throws(LibraryError) in try AccessStore.standard.choices() }
        return try programs.keys.sorted().map { try of($0) }
    }

    /// What holds for a program, the computer's policy included.
    ///
    /// - Throws: `PHPhotosError` when the choices cannot be read.
    public static func of(_ program: String) throws -> ProgramPermission {
        let identifier = Self.realIdentifier(of: program)
        let choice = try edge { () throws(LibraryError) in
            try AccessStore.standard.choice(of: identifier)
        }
        return ProgramPermission(program: identifier, choice)
    }

    // MARK: - Choosing

    /// Permits something to a program, which need not have been run yet.
    ///
    /// - Parameters:
    ///   - program: Its identifier; the path of an executable may be relative, or a link.
    ///   - level: What is permitted.
    ///   - includesHidden: Whether it may see hidden assets, too; nil leaves that as it is, which is
    ///     not for a program that was never permitted it. Means nothing for `addOnly`.
    /// - Returns: What holds now; a policy of the computer is stronger.
    /// - Throws: `PHPhotosError` when the choice cannot be kept.
    @discardableResult
    public static func grant(
        _ program: String,
        for level: PHAccessLevel = .readWrite,
        includesHidden: Bool? = nil
    ) throws -> ProgramPermission {
        try change(program) { choice in
            choice.set(.authorized, for: AccessLevel(level))
            // Adding alone is less than what was permitted before.
            if level == .addOnly, choice.readWrite != .notDetermined {
                choice.set(.denied, for: .readWrite)
            }
            if level == .readWrite, let includesHidden { choice.includesHidden = includesHidden }
        }
    }

    /// Takes everything back that was permitted to a program.
    ///
    /// - Parameters:
    ///   - program: Its identifier.
    ///   - asksAgain: Whether it may ask again; else it is denied.
    /// - Returns: What holds now.
    /// - Throws: `PHPhotosError` when the choice cannot be kept.
    @discardableResult
    public static func revoke(
        _ program: String,
        asksAgain: Bool = false
    ) throws -> ProgramPermission {
        try change(program) { choice in
            choice.set(asksAgain ? .notDetermined : .denied, for: .readWrite)
            choice.set(asksAgain ? .notDetermined : .denied, for: .addOnly)
        }
    }

    /// Lets a program see some assets of a library and no others.
    ///
    /// - Parameters:
    ///   - program: Its identifier.
    ///   - identifiers: The local identifiers of all that it may see; what it may see of other
    ///     libraries stays.
    ///   - library: Whose assets they are.
    ///   - includesHidden: Whether it may see those of them that are, or will be, hidden; nil leaves
    ///     that as it is, which is not for a program that was never permitted it.
    /// - Returns: What holds now.
    /// - Throws: `PHPhotosError` when the choice cannot be kept, or an identifier is no asset's.
    @discardableResult
    public static func limit(
        _ program: String,
        to identifiers: [String],
        of library: PhotoLibraryBundle,
        includesHidden: Bool? = nil
    ) throws -> ProgramPermission {
        let uuids = try edge { () throws(LibraryError) in try Self.uuids(identifiers) }
        let name = try edge { () throws(LibraryError) in
            try library.service.status().libraryUUID
        }
        return try change(program) { choice in
            choice.set(.limited, for: .readWrite)
            choice.selections[name] = uuids
            if let includesHidden { choice.includesHidden = includesHidden }
        }
    }

    /// Lets a program that may see assets see hidden ones, too, or no longer.
    ///
    /// - Parameters:
    ///   - includesHidden: Whether it may.
    ///   - program: Its identifier; for one that may see no assets, nothing changes.
    /// - Returns: What holds now.
    /// - Throws: `PHPhotosError` when the choice cannot be kept.
    @discardableResult
    public static func setIncludesHidden(
        _ includesHidden: Bool,
        for program: String
    ) throws -> ProgramPermission {
        try change(program) { choice in
            guard [.authorized, .limited].contains(choice.readWrite) else { return }
            choice.includesHidden = includesHidden
        }
    }

    private static func uuids(_ identifiers: [String]) throws(LibraryError) -> Set<String> {
        var uuids: Set<String> = []
        for text in identifiers {
            guard let identifier = LocalIdentifier(text), identifier.kind == .asset else {
                throw LibraryError(
                    .identifierNotFound,
                    "\(text) is no identifier of an asset.",
                    recovery: "photos list shows the identifiers.",
                    identifiers: [text]
                )
            }
            uuids.insert(identifier.uuid)
        }
        return uuids
    }

    private static func change(
        _ program: String,
        _ body: (inout AccessChoice) -> Void
    ) throws -> ProgramPermission {
        let identifier = Self.realIdentifier(of: program)
        try edge { () throws(LibraryError) in
            try AccessStore.standard.change(identifier, body)
        }
        return try of(identifier)
    }

    /// A path becomes real; everything else is an identifier already.
    private static func realIdentifier(of program: String) -> String {
        guard program.contains("/") else { return program }
        let absolute = SourcePath(program).absolute().description
        return URL(filePath: absolute).resolvingSymlinksInPath().path(percentEncoded: false)
    }
}
