package import PhotoModel

/// The limits on the calls that a connection may have in progress at the same time.
///
/// A client waits until a call does not exceed them. A daemon answers calls that exceed them with
/// `busy`.
package struct CallLimits: Hashable, Sendable {
    /// The maximum number of calls in progress, except calls of the class `immediate`.
    package var calls = 64
    /// The maximum number of calls of the class `immediate` in progress.
    ///
    /// They are counted separately, so that a cancellation is not refused because of other calls.
    package var immediateCalls = 64
    package var imageJobs = 8
    package var imports = 4
    /// The maximum number of calls that wait for the user's answer to a question.
    package var questions = 2
    /// The maximum number of calls that wait for downloads.
    package var downloads = 16
    /// The maximum number of file descriptors in the requests and possible replies of all calls in
    /// progress.
    package var descriptors = 256
    /// The maximum number of bytes in the requests of all calls in progress.
    package var requestBytes = 64 << 20

    package init() {}
}

/// The resources that one call uses until its reply is sent; they count toward the limits.
package struct CallCost: Hashable, Sendable {
    var callClass: CallClass
    var isImport: Bool
    package var descriptors: Int
    package var requestBytes: Int

    /// Indicates whether the call has the class `immediate`.
    package var isImmediate: Bool { callClass == .immediate }

    /// Calculates the cost of a request from its call and its encoded message.
    package init(_ call: any AnyCall, _ message: EncodedMessage) {
        callClass = call.callClass
        isImport = call.name == "importFiles"
        descriptors = message.descriptors.count + call.replyDescriptors.upperBound
        requestBytes = message.body.count
    }
}

/// The resources that a connection's calls in progress use.
package struct CallUsage: Sendable {
    /// The names of the limits in `CallLimits`.
    package enum Limit: String, Codable, Hashable, Sendable, CaseIterable {
        case calls, immediateCalls, imageJobs, imports, questions, downloads, descriptors,
            requestBytes
    }

    private let limits: CallLimits
    private var calls = 0
    private var immediateCalls = 0
    private var imageJobs = 0
    private var imports = 0
    private var questions = 0
    private var downloads = 0
    /// The number of file descriptors that all calls in progress use.
    package private(set) var descriptors = 0
    private var requestBytes = 0

    package init(_ limits: CallLimits = CallLimits()) { self.limits = limits }

    /// The number of calls in progress.
    package var count: Int { calls + immediateCalls }

    /// Adds a call to those in progress, unless it exceeds a limit.
    ///
    /// A call whose request alone exceeds the limit of bytes is admitted if no other requests are
    /// in progress, since it could never be made otherwise.
    ///
    /// - Returns: The limit that the call exceeds; nil if it was added.
    package mutating func admit(_ cost: CallCost) -> Limit? {
        if let limit = exceeded(by: cost) { return limit }
        add(cost, 1)
        return nil
    }

    /// Removes a call from the calls in progress.
    package mutating func remove(_ cost: CallCost) { add(cost, -1) }

    private func exceeded(by cost: CallCost) -> Limit? {
        if cost.callClass == .immediate {
            if immediateCalls >= limits.immediateCalls { return .immediateCalls }
        } else if calls >= limits.calls {
            return .calls
        }
        if cost.callClass == .pixels, imageJobs >= limits.imageJobs { return .imageJobs }
        if cost.isImport, imports >= limits.imports { return .imports }
        if cost.callClass == .question, questions >= limits.questions { return .questions }
        if cost.callClass == .download, downloads >= limits.downloads { return .downloads }
        if descriptors + cost.descriptors > limits.descriptors { return .descriptors }
        if requestBytes > 0, requestBytes + cost.requestBytes > limits.requestBytes {
            return .requestBytes
        }
        return nil
    }

    private mutating func add(_ cost: CallCost, _ sign: Int) {
        if cost.callClass == .immediate { immediateCalls += sign } else { calls += sign }
        if cost.callClass == .pixels { imageJobs += sign }
        if cost.isImport { imports += sign }
        if cost.callClass == .question { questions += sign }
        if cost.callClass == .download { downloads += sign }
        descriptors += sign * cost.descriptors
        requestBytes += sign * cost.requestBytes
    }
}

extension LibraryError {
    /// Returns the error for a call that exceeds a limit of its connection.
    package static func exceeded(_ limit: String) -> LibraryError {
        LibraryError(
            .busy,
            "The program has too many calls in progress.",
            reason: "The limit “\(limit)” of the library daemon was exceeded.",
            recovery: "Wait until other calls have finished and try again."
        )
    }
}
