import CloudSync
import PhotoModel
import Testing

/// The purges of one object.
@Suite(.timeLimit(.minutes(1))) struct CloudObjectTests {
    private static func stamp(_ time: UInt64) -> ChangeStamp {
        ChangeStamp(time: HybridTime(rawValue: time), device: CloudID(0, 1))
    }

    @Test func aPurgeKeepsTheSegmentsThatContainIt() {
        let place = LogPlace(
            device: CloudID(0, 1),
            position: LogPosition(sequence: 1, hash: CloudID(0, 2))
        )
        var object = CloudObject()
        object.purges = [Self.stamp(1): [place]]
        object.addPurge(of: Self.stamp(1))
        object.addPurge(of: Self.stamp(2))
        #expect(object.purges == [Self.stamp(1): [place], Self.stamp(2): []])
    }
}
