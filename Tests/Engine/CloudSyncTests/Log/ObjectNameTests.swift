import CloudSync
import Testing

@Suite(.timeLimit(.minutes(1))) struct ObjectNameTests {
    private static let id = CloudID(0x0123_4567_89AB_CDEF, 7)
    private static let digits = "0123456789abcdef0000000000000007"

    @Test(arguments: [
        (
            ObjectName.segment(id, LogPosition(sequence: 42, hash: id)),
            "log/\(digits)/000000000042-\(digits)"
        ),
        (.head(id), "head/\(digits)"),
        (.blob(BlobName(device: id, id: id)), "blob/\(digits)/\(digits)"),
        (.snapshot(id), "snap/\(digits)/manifest"),
    ])
    func nameIsReadBack(_ name: ObjectName, text: String) {
        #expect(name.description == text)
        #expect(ObjectName(text) == name)
    }

    @Test(arguments: [
        "", "log", "log/", "log//", "log/\(digits)", "log/\(digits)/1-\(digits)",
        "log/\(digits)/000000000000-\(digits)", "log/\(digits)/+00000000001-\(digits)",
        "log/\(digits)/000000000001-\(digits)/x", "head/\(digits.uppercased())", "head/\(digits)0",
        "blob/\(digits)", "snap/\(digits)/0", "config/\(digits)", "log/../000000000001-\(digits)",
    ])
    func otherNamesAreNone(_ text: String) {
        #expect(ObjectName(text) == nil)
    }
}
