internal import Glibc
package import LibraryService
internal import PhotoModel

/// A call as a client makes it, whose outcome depends on the client's permission.
package struct PermissionProbe: Sendable {
    /// The call, or the call and a remark after a colon: `commit: add`.
    package let name: String
    private let outcome: @Sendable (any LibraryService, ProbeSubjects) throws -> String

    /// The name of the call.
    package var call: String { String(name.prefix { $0 != ":" }) }

    /// A probe whose outcome is a word.
    init(
        _ name: String,
        _ outcome: @escaping @Sendable (any LibraryService, ProbeSubjects) throws -> String
    ) {
        self.name = name
        self.outcome = outcome
    }

    /// A probe that succeeds or fails.
    static func act(
        _ name: String,
        _ body: @escaping @Sendable (any LibraryService, ProbeSubjects) throws -> Void
    ) -> PermissionProbe {
        PermissionProbe(name) { service, subjects in
            try body(service, subjects)
            return "done"
        }
    }

    /// A probe that reveals or uses each of the assets, or does not.
    static func assets(
        _ name: String,
        _ body: @escaping @Sendable (any LibraryService, ProbeSubjects.Asset) throws -> Bool
    ) -> PermissionProbe {
        PermissionProbe(name) { service, subjects in
            subjects.assets.map { asset in
                word { try body(service, asset) ? "yes" : "no" }
            }.joined(separator: " ")
        }
    }

    /// Makes the call.
    ///
    /// - Parameters:
    ///   - service: The library, as the client has opened it.
    ///   - subjects: The objects to ask about.
    /// - Returns: The outcome in words; an error is the name of its code.
    package func run(_ service: any LibraryService, _ subjects: ProbeSubjects) -> String {
        Self.word { try outcome(service, subjects) }
    }

    private static func word(_ body: () throws -> String) -> String {
        do {
            return try body()
        } catch let error as LibraryError {
            return error.code.rawValue
        } catch {
            return "\(error)"
        }
    }

    /// Opens a file of the client.
    static func file(_ path: String) throws -> Descriptor {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw SystemError.last("open", path: path) }
        return Descriptor(owning: number)
    }

    /// Begins an import, or returns a number that no import has.
    static func importSession(_ service: any LibraryService) -> Int64 {
        (try? service.beginImport(ImportSessionRequest()).session) ?? -1
    }

    /// Commits one operation.
    static func commit(
        _ action: ChangeAction,
        _ service: any LibraryService,
        files: [Descriptor] = []
    ) throws {
        let operation = ChangeOperation(request: "probe", action: action)
        try service.commit(ChangeSet(operations: [operation]), files: files)
    }
}
