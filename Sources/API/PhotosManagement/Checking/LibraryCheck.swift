public import Foundation
internal import LibraryService
internal import PhotoModel

/// A check that every file of a library is present, complete and unchanged since its import.
///
/// A check changes nothing unless repairs are requested, and repairs only what has a single
/// possible fix. It works in short steps, so other programs can use the library meanwhile.
public struct LibraryCheck: Sendable {
    /// A problem or irregularity that a check found.
    public struct Finding: Sendable, Hashable {
        /// The severity of a finding.
        public enum Severity: String, Sendable, Hashable, CaseIterable {
            /// A harmless finding, such as a file left over from a crash. No data is lost or wrong.
            case note
            /// Data that was committed to the library is missing or wrong.
            case damage
        }

        /// The severity of the finding.
        public var severity: Severity
        /// The kind of the finding, as a name that does not change between versions, such as
        /// `missingFile`.
        public var kind: String
        /// A description of the finding.
        public var message: String
        /// The recommended action.
        public var advice: String
        /// The path of the file concerned.
        public var path: String?
        /// The local identifier of the asset concerned.
        public var localIdentifier: String?
        /// Indicates whether the check repaired the finding.
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

    /// The options of a check.
    public struct Options: Sendable, Hashable {
        /// Indicates whether every file is read in full and its SHA-256 is compared with the
        /// recorded one.
        public var readsEverything = false
        /// Indicates whether findings that have a single possible fix are repaired.
        public var repairs = false
        /// The folder of a backup or of another library from which repairs copy missing and damaged
        /// files; nil for none.
        ///
        /// The files are identified by their SHA-256.
        public var repairSource: URL?

        /// Creates options for a check of names, sizes and the database, without repairs.
        public init() {}
    }

    /// The result of a check in numbers.
    public struct Summary: Sendable, Hashable {
        /// The number of harmless findings.
        public var notes = 0
        /// The number of findings of damage that was not repaired.
        public var damages = 0
        /// The number of repaired findings.
        public var repaired = 0
        /// Indicates whether the check was stopped before it was complete.
        public var wasStopped = false

        /// Creates a summary without findings.
        public init() {}
    }

    private let library: PhotoLibraryBundle
    private let options: Options
    private let control: OperationControl

    /// Creates a check; call ``run(progress:handler:)`` to start it.
    public init(
        library: PhotoLibraryBundle,
        options: Options = Options(),
        control: OperationControl = OperationControl()
    ) {
        self.library = library
        self.options = options
        self.control = control
    }

    /// Checks the whole library on the calling thread until the check completes or is stopped.
    ///
    /// - Parameters:
    ///   - progress: Called after each step with the fraction done, 0...1. An error that it throws
    ///     ends the check and is rethrown.
    ///   - handler: Called for each finding. An error that it throws ends the check and is
    ///     rethrown.
    /// - Returns: The findings in numbers.
    /// - Throws: `PHPhotosError` when the check cannot continue. A finding is not an error.
    public func run(
        progress: (Double) throws -> Void = { _ in },
        handler: (Finding) throws -> Void
    ) throws -> Summary {
        var summary = Summary()
        var request = VerifyRequest(
            isFull: options.readsEverything,
            repairs: options.repairs,
            donor: options.repairSource.map {
                SourcePath($0.path(percentEncoded: false)).absolute().description
            }
        )
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

/// An alias of the engine's `Finding`, to distinguish it from ``LibraryCheck/Finding``.
private typealias EngineFinding = Finding
