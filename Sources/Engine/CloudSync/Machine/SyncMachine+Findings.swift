/// The results of searches that the next steps need as well, so that a session of many steps does
/// not search everything in each of them.
///
///     duty ──search──▶ finding ──answers to its requests──▶ used again ──other input──▶ dropped
///
/// 1. A step has the same result and outputs with findings as without. So they are not part of
///    checkpoints.
/// 2. A finding is kept only by inputs that cannot add anything to it. What they may take away is
///    checked at each use.
/// 3. The weaknesses of simulations break the rules from which this follows, so a machine with one
///    keeps none.
extension SyncMachine {
    /// The results of searches that are still valid.
    struct Findings: Sendable {
        /// The place in `unexported` before which no content waits for its upload.
        var uploadStart = Place()
        /// The contents to replenish, in ascending order; nil before the search.
        var replenishable: Queue<ContentID>?
        /// The contents of unpublished operations and uploads; nil before the search.
        var unpublished: Set<ContentID>?
    }

    /// The place of an operation in `unexported`.
    struct Place: Sendable {
        var transaction = 0
        var operation = 0
    }

    /// Drops the findings that an input may invalidate.
    mutating func dropFindings(before input: SyncInput) {
        var kept = Findings()
        if weakness == nil {
            switch input {
            case .perform(.publish): kept.uploadStart = findings.uploadStart
            case .perform(.replenish): kept.replenishable = findings.replenishable
            case .answer(let request, _): keepFindings(of: session.requests[request], in: &kept)
            default: break
            }
        }
        findings = kept
    }

    /// Keeps the findings that the answer to a request cannot invalidate.
    private func keepFindings(of purpose: Purpose?, in kept: inout Findings) {
        switch purpose {
        // It may confirm an upload, or cancel it because the file is gone.
        case .putBlob?:
            kept.uploadStart = findings.uploadStart
            kept.replenishable = findings.replenishable
        // It may add a file, whose content can be replenished already if its blob is readable.
        case .getBlob(let content)?:
            guard state.readableBlob(of: content) != nil else { return }
            kept.replenishable = findings.replenishable
        // It may remove a file.
        case .checkBlob?: kept.unpublished = findings.unpublished
        // Nobody receives the answer.
        case nil: kept = findings
        default: break
        }
    }
}
