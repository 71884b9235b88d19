internal import RemoteLibrary

/// A difference between the objects in the store of a cloud library and this device's record of
/// them.
public struct CloudFinding: Sendable, Hashable {
    /// The name of the object in the store; empty for a finding about several objects.
    public var object: String
    /// A description of the difference, in one sentence.
    public var finding: String
    /// Indicates whether the difference was repaired; nil if no repair was requested.
    public var isRepaired: Bool?
    /// The reason why the difference was not repaired.
    public var reason: String?

    init(_ finding: CloudReply.Finding) {
        object = finding.object
        self.finding = finding.finding
        isRepaired = finding.isRepaired
        reason = finding.reason
    }
}
