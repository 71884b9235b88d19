public import Foundation
internal import LibraryService
internal import PhotoModel
public import Photos
internal import ProgramAccess

/// The access that the user granted to one program.
///
/// Permissions are stored outside of any library, in `$XDG_STATE_HOME/swift-photos/access`, and
/// take effect immediately in running programs. For programs that can read the library's files,
/// enforcement is cooperative; ``isEnforced`` identifies the others. Opening a library by path with
/// ``PhotoLibraryBundle`` bypasses permissions; that is intended for the library's owner.
public struct ProgramPermission: Sendable, Hashable {
    /// The identifier of the program: its Flatpak id, its bundle identifier, or the real path of
    /// its executable.
    ///
    /// Other clients of the library daemon have the identifiers `snap.NAME`, `profile:NAME`,
    /// `user:ID` or `service:UNIT`.
    public var program: String
    /// The program's display name; nil for a program that never ran.
    public var name: String?
    /// The program's access to existing assets.
    public var readWrite: PHAuthorizationStatus
    /// The program's permission to add assets.
    public var addOnly: PHAuthorizationStatus
    /// The number of assets, in all libraries, that the program may see while its access is
    /// limited.
    public var selectedAssetCount: Int
    /// Indicates whether the program may see hidden assets.
    public var includesHidden: Bool
    /// The day on which the program last used its access to a library; nil when it never did.
    public var lastUsed: Date?
    /// Indicates whether the library daemon enforced this permission when the program last used a
    /// library.
    ///
    /// Enforcement requires that a sandbox, a security profile or another user account keeps the
    /// program from the library's files. The program then cannot bypass the permission.
    public var isEnforced: Bool

    private init(program: String, _ choice: AccessChoice) {
        self.program = program
        name = choice.name
        readWrite = PHAuthorizationStatus(choice.readWrite)
        addOnly = PHAuthorizationStatus(choice.status(for: .addOnly))
        selectedAssetCount = choice.selections.values.reduce(0) { $0 + $1.count }
        includesHidden = choice.includesHidden
        lastUsed = AccessStore.standard.uses.last(of: program)
        isEnforced = AccessStore.standard.uses.wasEnforced(for: program)
    }

    // MARK: - Reading

    /// Returns the permissions of all programs with a stored access choice, sorted by program
    /// identifier.
    ///
    /// - Throws: `PHPhotosError` when the choices cannot be read.
    public static func all() throws -> [ProgramPermission] {
        let programs = try edge { () throws(LibraryError) in try AccessStore.standard.choices() }
        return try programs.keys.sorted().map { try of($0) }
    }

    /// Returns the effective permission of a program.
    ///
    /// A policy of the computer's administrator takes precedence over the user's choice.
    ///
    /// - Throws: `PHPhotosError` when the choices cannot be read.
    public static func of(_ program: String) throws -> ProgramPermission {
        let identifier = Self.realIdentifier(of: program)
        let choice = try edge { () throws(LibraryError) in
            try AccessStore.standard.choice(of: identifier)
        }
        return ProgramPermission(program: identifier, choice)
    }

    // MARK: - Changing

    /// Grants a program the given access level, even if the program has never run.
    ///
    /// - Parameters:
    ///   - program: Its identifier. The path of an executable may be relative or a symbolic link.
    ///   - level: The access level to grant.
    ///   - includesHidden: Whether the program may also see hidden assets. With nil, the current
    ///     setting remains; the initial setting is false. Ignored for `addOnly`.
    /// - Returns: The effective permission; a policy of the computer overrides the choice.
    /// - Throws: `PHPhotosError` when the choice cannot be saved.
    @discardableResult
    public static func grant(
        _ program: String,
        for level: PHAccessLevel = .readWrite,
        includesHidden: Bool? = nil
    ) throws -> ProgramPermission {
        try change(program) { choice in
            choice.set(.authorized, for: AccessLevel(level))
            // Add-only access is a downgrade for a program that had read access.
            if level == .addOnly, choice.readWrite != .notDetermined {
                choice.set(.denied, for: .readWrite)
            }
            if level == .readWrite, let includesHidden { choice.includesHidden = includesHidden }
        }
    }

    /// Revokes all access of a program.
    ///
    /// - Parameters:
    ///   - program: Its identifier.
    ///   - asksAgain: Whether the program may request access again; otherwise access is denied.
    /// - Returns: The effective permission.
    /// - Throws: `PHPhotosError` when the choice cannot be saved.
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

    /// Limits a program to a selection of a library's assets.
    ///
    /// - Parameters:
    ///   - program: Its identifier.
    ///   - identifiers: The local identifiers of all assets that the program may see. Selections in
    ///     other libraries are unchanged.
    ///   - library: The library that contains the assets.
    ///   - includesHidden: Whether the program may see selected assets that are hidden, now or
    ///     later. With nil, the current setting remains; the initial setting is false.
    /// - Returns: The effective permission.
    /// - Throws: `PHPhotosError` when the choice cannot be saved, or when an identifier is not an
    ///   asset's.
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

    /// Sets whether a program with read access may also see hidden assets.
    ///
    /// - Parameters:
    ///   - includesHidden: Whether the program may see hidden assets.
    ///   - program: Its identifier. Nothing changes for a program without read access.
    /// - Returns: The effective permission.
    /// - Throws: `PHPhotosError` when the choice cannot be saved.
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
                    "\(text) is not the identifier of an asset.",
                    recovery: "Run photos list to see the identifiers.",
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

    /// Returns the real path of a program identifier that is a path; returns any other identifier
    /// unchanged.
    private static func realIdentifier(of program: String) -> String {
        guard program.contains("/") else { return program }
        let absolute = SourcePath(program).absolute().description
        return URL(filePath: absolute).resolvingSymlinksInPath().path(percentEncoded: false)
    }
}
