import Foundation
import PhotoLibrary
import PhotoModel
import Testing

@Suite(.timeLimit(.minutes(2))) struct BurstPolicyTests {
    private func frame(
        _ id: Int64,
        _ seconds: Double?,
        _ picks: BurstSelectionTypes = [],
        quality: Double? = nil
    ) -> BurstPolicy.Frame {
        BurstPolicy.Frame(
            id: id,
            creationDate: seconds.map(Date.init(timeIntervalSince1970:)),
            filename: "IMG_\(id)",
            picks: picks,
            quality: quality
        )
    }

    @Test("The middle frame by time stands for the burst, whatever the order of import")
    func picksMiddle() {
        let frames = [frame(1, 5), frame(2, 1), frame(3, 3), frame(4, 2), frame(5, 4)]
        #expect(BurstPolicy.representative(of: frames) == 3)
        #expect(BurstPolicy.representative(of: frames.reversed()) == 3)
        #expect(BurstPolicy.representative(of: Array(frames.dropFirst())) == 4)
        #expect(BurstPolicy.representative(of: [frame(9, nil)]) == 9)
        #expect(BurstPolicy.representative(of: []) == nil)
    }

    @Test("Frames of one instant are told apart by name")
    func breaksTies() {
        #expect(BurstPolicy.representative(of: [frame(3, 1), frame(1, 1), frame(2, 1)]) == 2)
    }

    @Test("The best frame stands for the burst, of those that somebody knows")
    func picksBest() {
        let frames = [
            frame(1, 1, quality: 0.2), frame(2, 2, quality: 0.1), frame(3, 3, quality: 0.9),
        ]
        #expect(BurstPolicy.representative(of: frames) == 3)
        #expect(BurstPolicy.representative(of: frames.reversed()) == 3)
        #expect(BurstPolicy.representative(of: frames + [frame(4, 0)]) == 3)
        let equal = (1...5).map { frame($0, Double($0), quality: 0.5) }
        #expect(BurstPolicy.representative(of: equal) == 3)
        // The best of the user's picks; the figures of the others do not matter.
        let picked = [
            frame(1, 1, .userPick, quality: 0.2), frame(2, 2, .userPick, quality: 0.4),
            frame(3, 3, quality: 0.9), frame(4, 4),
        ]
        #expect(BurstPolicy.representative(of: picked) == 2)
    }

    @Test("What a person picked outweighs the middle")
    func respectsPicks() {
        let frames = [frame(1, 1), frame(2, 2, .autoPick), frame(3, 3, [.userPick, .autoPick])]
        #expect(BurstPolicy.representative(of: frames) == 3)
    }
}
