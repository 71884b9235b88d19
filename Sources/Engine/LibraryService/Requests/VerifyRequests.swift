/// A request for one slice of a check of the library.
///
/// Slices keep calls short, so that a client can show progress and stop.
package struct VerifyRequest: Codable, Hashable, Sendable {
    /// Reads every byte of every resource, too.
    package var isFull: Bool
    /// Repairs findings that have a single possible fix.
    package var repairs: Bool
    /// The position where the last slice ended; nil to begin.
    package var cursor: VerifyCursor?

    package init(isFull: Bool, repairs: Bool, cursor: VerifyCursor? = nil) {
        self.isFull = isFull
        self.repairs = repairs
        self.cursor = cursor
    }
}

/// A position in a check.
package struct VerifyCursor: Codable, Hashable, Sendable {
    package var stage: Int
    package var position: Int64
    package init(stage: Int, position: Int64) {
        self.stage = stage
        self.position = position
    }
}

/// The findings of a slice, and the position to continue from.
package struct VerifyReply: Codable, Hashable, Sendable {
    package var findings: [Finding]
    /// The position to continue from; nil when the check is complete.
    package var next: VerifyCursor?
    /// The fraction done, 0...1.
    package var progress: Double
    package init(findings: [Finding], next: VerifyCursor?, progress: Double) {
        self.findings = findings
        self.next = next
        self.progress = progress
    }
}

/// A result of a check.
package struct Finding: Codable, Hashable, Sendable {
    package enum Severity: String, Codable, Hashable, Sendable, CaseIterable {
        /// A harmless finding, such as a leftover of a crash; no data is lost or wrong.
        case note
        /// Acknowledged data is missing or wrong.
        case damage
    }

    package var severity: Severity
    /// A stable name, such as `missingFile`.
    package var kind: String
    package var message: String
    /// The recommended action.
    package var advice: String
    package var path: String?
    package var localIdentifier: String?
    package var isRepaired: Bool

    package init(
        _ severity: Severity,
        kind: String,
        message: String,
        advice: String,
        path: String? = nil,
        localIdentifier: String? = nil,
        isRepaired: Bool = false
    ) {
        self.severity = severity
        self.kind = kind
        self.message = message
        self.advice = advice
        self.path = path
        self.localIdentifier = localIdentifier
        self.isRepaired = isRepaired
    }
}
