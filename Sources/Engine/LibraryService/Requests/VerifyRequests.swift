/// Asks for one slice of a check of the library.
///
/// Slices keep calls short, so that a client can show progress and stop.
package struct VerifyRequest: Codable, Hashable, Sendable {
    /// Reads every byte of every resource too.
    package var isFull: Bool
    /// Mends what can be mended without guessing.
    package var repairs: Bool
    /// Where the last slice ended; nil to begin.
    package var cursor: VerifyCursor?

    package init(isFull: Bool, repairs: Bool, cursor: VerifyCursor? = nil) {
        self.isFull = isFull
        self.repairs = repairs
        self.cursor = cursor
    }
}

/// A place in a check.
package struct VerifyCursor: Codable, Hashable, Sendable {
    package var stage: Int
    package var position: Int64
    package init(stage: Int, position: Int64) {
        self.stage = stage
        self.position = position
    }
}

/// The findings of a slice, and where to go on.
package struct VerifyReply: Codable, Hashable, Sendable {
    package var findings: [Finding]
    /// Nil when the check is complete.
    package var next: VerifyCursor?
    /// 0...1.
    package var progress: Double
    package init(findings: [Finding], next: VerifyCursor?, progress: Double) {
        self.findings = findings
        self.next = next
        self.progress = progress
    }
}

/// Something that a check found.
package struct Finding: Codable, Hashable, Sendable {
    package enum Severity: String, Codable, Hashable, Sendable, CaseIterable {
        /// Nothing is lost or wrong, such as the leftover of a crash.
        case note
        /// Something that was acknowledged is missing or wrong.
        case damage
    }

    package var severity: Severity
    /// A stable name, such as `missingFile`.
    package var kind: String
    package var message: String
    /// What to do about it.
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
