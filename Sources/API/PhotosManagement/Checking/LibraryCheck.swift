internal import LibraryService
internal import PhotoModel

/// Checks that a library is what it says: every file there, complete and as it was imported.
///
/// A check changes nothing unless it is asked to repair, and then only what can be mended without
/// guessing. It works in short steps beside other programs.
public struct LibraryCheck: Sendable {
    /// Something that a check found.
    public struct Finding: Sendable, Hashable {
        /// How bad it is.
        public enum Severity: String, Sendable, Hashable, CaseIterable {
            /// Nothing is lost or wrong, such as the leftover of a crash.
            case note
            /// Something that was acknowledged is missing or wrong.
            case damage
        }

        /// How bad it is.
        public var severity: Severity
        /// A stable name, such as `missingFile`.
        public var kind: String
        /// What was found.
        public var message: String
        /// What to do about it.
        public var advice: String
        /// The file concerned.
        public var path: String?
        /// The asset concerned.
        public var localIdentifier: String?
        /// Whether the check mended it.
        public var isRepaired: Bool

        fileprivate init(_ finding: EngineFinding) {
            severity =
                switch finding.severity {
                case .note: .note
                case .damage: .damage
                }
            kind = finding.kind
            message = finding.message
            advice = finding.advice
            path = finding.path
            localIdentifier = finding.localIdentifier
            isRepaired = finding.isRepaired
        }
    }

    /// How to check.
    public struct Options: Sendable, Hashable {
        /// Reads every byte of every file and compares its SHA-256, too.
        public var readsEverything = false
        /// Mends what can be mended without guessing.
        public var repairs = false

        /// Looks at names, sizes and the database, and changes nothing.
        public init() {}
    }

    /// What a check came to.
    public struct Summary: Sendable, Hashable {
        /// Findings that hurt nobody.
        public var notes = 0
        /// Findings of damage that is still there.
        public var damages = 0
        /// Findings that were mended.
        public var repaired = 0
        /// Whether it was stopped before the end.
        public var wasStopped = false

        /// Nothing found yet.
        public init() {}
    }

    private let library: PhotoLibraryBundle
    private let options: Options
    private let control: OperationControl

    /// Prepares a check; nothing happens before ``run(progress:handler:)``.
    public init(
        library: PhotoLibraryBundle,
        options: Options = Options(),
        control: OperationControl = OperationControl()
    ) {
        self.library = library
        self.options = options
        self.control = control
    }

    /// Checks the whole library, on this thread, until the end or until it is stopped.
    ///
    /// - Parameters:
    ///   - progress: Told after each step: 0...1.
    ///   - handler: Told of each finding. What it throws ends the check and is thrown on.
    /// - Returns: The findings in numbers.
    /// - Throws: `PHPhotosError` when the check cannot go on. A finding is not an error.
    public func run(
        progress: (Double) throws -> Void = { _ in },
        handler: (Finding) throws -> Void
    ) throws -> Summary {
        var summary = Summary()
        var request = VerifyRequest(isFull: options.readsEverything, repairs: options.repairs)
        while !control.isStopped {
            let reply = try edge { () throws(LibraryError) in try library.service.verify(request) }
            for finding in reply.findings {
                switch finding.severity {
                case _ where finding.isRepaired: summary.repaired += 1
                case .note: summary.notes += 1
                case .damage: summary.damages += 1
                }
                try handler(Finding(finding))
            }
            try progress(reply.progress)
            guard let next = reply.next else { return summary }
            request.cursor = next
        }
        summary.wasStopped = true
        return summary
    }
}

/// What the engine calls a finding, out of reach of the nested type's name.
private typealias EngineFinding = Finding
