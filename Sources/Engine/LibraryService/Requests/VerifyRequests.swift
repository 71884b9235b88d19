/// A request to check one slice of the library.
///
/// Slices keep calls short, so that a client can show progress and stop.
package struct VerifyRequest: Codable, Hashable, Sendable {
    /// Indicates whether every byte of every resource is also read.
    package var isFull: Bool
    /// Indicates whether findings with a single possible fix are repaired.
    package var repairs: Bool
    /// The absolute path of another copy of the library, from which repairs take missing and
    /// damaged files; nil for none.
    package var donor: String?
    /// The position where the last slice ended; nil to begin.
    package var cursor: VerifyCursor?

    package init(
        isFull: Bool,
        repairs: Bool,
        donor: String? = nil,
        cursor: VerifyCursor? = nil
    ) {
        self.isFull = isFull
        self.repairs = repairs
        self.donor = donor
        self.cursor = cursor
    }
}

/// The position of a check in the library.
package struct VerifyCursor: Codable, Hashable, Sendable {
    package var stage: Int
    package var position: Int64
    /// The findings so far; nil if the check started in the middle of the library.
    ///
    /// A check without a tally is not recorded as the last check.
    package var tally: VerifyTally?
    package init(stage: Int, position: Int64, tally: VerifyTally? = nil) {
        self.stage = stage
        self.position = position
        self.tally = tally
    }
}

/// The numbers of findings of a check, and the library's version when the check began.
package struct VerifyTally: Codable, Hashable, Sendable {
    /// The version of the library when the check began; nil if it could not be read.
    package var version: Int64?
    /// The number of harmless findings.
    package var notes = 0
    /// The number of findings of unrepaired damage.
    package var damages = 0
    /// The number of repaired findings.
    package var repaired = 0

    package init(version: Int64?) { self.version = version }

    /// Counts the findings of a slice.
    package mutating func add(_ findings: [Finding]) {
        for finding in findings {
            switch finding.severity {
            case _ where finding.isRepaired: Self.increment(&repaired)
            case .note: Self.increment(&notes)
            case .damage: Self.increment(&damages)
            }
        }
    }

    /// Adds 1 to a number that comes from the client, which can send any.
    private static func increment(_ count: inout Int) {
        if count < .max { count += 1 }
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

/// An issue found by a check.
package struct Finding: Codable, Hashable, Sendable {
    package enum Severity: String, Codable, Hashable, Sendable, CaseIterable {
        /// A harmless finding, such as a leftover of a crash; no data is lost or wrong.
        case note
        /// Data that the library has committed is missing or wrong.
        case damage
    }

    package var severity: Severity
    /// The kind of finding as a stable name, such as `missingFile`.
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
