import Testing

@testable import PhotoLibrary

@Suite(.timeLimit(.minutes(2))) struct SparsePositionsTests {
    private let gap = SparsePositions.gap

    @Test func positionsAscendBetweenTheirNeighbours() throws {
        for (lower, upper, count) in [(0, 4, 3), (-10, 10, 5), (7, 8 + gap, 100)]
            as [(Int64, Int64, Int)]
        {
            let positions = try #require(
                SparsePositions.positions(after: lower, before: upper, count: count)
            )
            #expect(positions.count == count)
            let all = [lower] + positions + [upper]
            #expect(zip(all, all.dropFirst()).allSatisfy(<))
        }
    }

    @Test func freeEndsLeaveWholeGaps() {
        #expect(SparsePositions.positions(after: nil, before: nil, count: 2) == [gap, 2 * gap])
        #expect(SparsePositions.positions(after: gap, before: nil, count: 1) == [2 * gap])
        #expect(SparsePositions.positions(after: nil, before: 0, count: 2) == [-2 * gap, -gap])
    }

    @Test func thereIsNoRoomWhereThereIsNone() {
        #expect(SparsePositions.positions(after: 5, before: 6, count: 1) == nil)
        #expect(SparsePositions.positions(after: 5, before: 5, count: 1) == nil)
        #expect(SparsePositions.positions(after: 5, before: 8, count: 3) == nil)
        #expect(SparsePositions.positions(after: .max - 3, before: nil, count: 1) == nil)
        #expect(SparsePositions.positions(after: nil, before: .min + 3, count: 1) == nil)
        #expect(SparsePositions.positions(after: .max - gap, before: nil, count: .max >> 34) == nil)
    }

    @Test func spansWiderThanAnIntegerHaveRoom() throws {
        let positions = try #require(SparsePositions.positions(after: .min, before: .max, count: 1))
        #expect(positions[0] > .min && positions[0] < .max)
    }
}
