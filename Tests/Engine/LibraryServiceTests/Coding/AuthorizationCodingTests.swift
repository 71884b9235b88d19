import LibraryService
import PhotoModel
import Testing

/// The calls by which a program learns of its permission.
@Suite(.timeLimit(.minutes(1))) struct AuthorizationCodingTests {
    @Test(arguments: AccessLevel.allCases)
    func levelsComeBack(_ level: AccessLevel) throws {
        try expectRoundTrip(AuthorizationStatusRequest(level: level))
        try expectRoundTrip(AuthorizationRequest(level: level))
    }

    @Test func theLevelOfTheFirstUseComesBack() throws {
        try expectRoundTrip(AuthorizationRequest(level: nil))
    }

    @Test(arguments: AccessStatus.allCases)
    func statusesComeBack(_ status: AccessStatus) throws {
        try expectRoundTrip(AuthorizationStatusReply(status: status))
        let refusal = LibraryError(.accessDenied, "No.", reason: "Denied.", recovery: "Ask.")
        try expectRoundTrip(AuthorizationStatusReply(status: status, refusal: refusal))
        try expectRoundTrip(AuthorizationStatusReply(status: status, hiddenRefusal: refusal))
        try expectRoundTrip(AuthorizationReply(status: status))
        try expectRoundTrip(AuthorizationReply(status: status, remark: "Nobody was asked."))
    }

    @Test(arguments: [nil, [], ["B", "A"]] as [[String]?])
    func selectionsComeBack(_ uuids: [String]?) throws {
        try expectRoundTrip(LimitedSelectionReply(assetUUIDs: uuids))
        try expectRoundTrip(SelectionChangeReply(added: uuids ?? []))
    }
}
