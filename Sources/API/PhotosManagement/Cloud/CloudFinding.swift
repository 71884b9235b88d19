internal import RemoteLibrary

/// A difference between the store of a cloud library and what this device knows of it.
public struct CloudFinding: Sendable, Hashable {
    /// The name of the object in the store; empty for a finding about several objects.
    public var object: String
    /// What is wrong, as a sentence.
    public var finding: String
    /// Indicates whether it was repaired; nil if no repair was asked for.
    public var isRepaired: Bool?
    /// The reason why it was not repaired.
    public var reason: String?

    init(_ finding: CloudReply.Finding) {
        object = finding.object
        self.finding = finding.finding
        isRepaired = finding.isRepaired
        reason = finding.reason
    }
}
