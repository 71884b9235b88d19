import Testing

@testable import PhotoLibrary

@Suite struct SparseOrderTests {
    private let gap = SparseOrder.gap

    @Test func positionsAscendBetweenTheirNeighbours() throws {
        for (lower, upper, count) in [(0, 4, 3), (-10, 10, 5), (7, 8 + gap, 100)]
            as [(Int64, Int64, Int)]
        {
            let positions = try #require(
                SparseOrder.positions(after: lower, before: upper, count: count)
            )
            #expect(positions.count == count)
            let all = [lower] + positions + [upper]
            #expect(zip(all, all.dropFirst()).allSatisfy(<))
        }
    }

    @Test func freeEndsLeaveWholeGaps() {
        #expect(SparseOrder.positions(after: nil, before: nil, count: 2) == [gap, 2 * gap])
        #expect(SparseOrder.positions(after: gap, before: nil, count: 1) == [2 * gap])
        #expect(SparseOrder.positions(after: nil, before: 0, count: 2) == [-2 * gap, -gap])
    }

    @Test func thereIsNoRoomWhereThereIsNone() {
        #expect(SparseOrder.positions(after: 5, before: 6, count: 1) == nil)
        #expect(SparseOrder.positions(after: 5, before: 5, count: 1) == nil)
        #expect(SparseOrder.positions(after: 5, before: 8, count: 3) == nil)
        #expect(SparseOrder.positions(after: .max - 3, before: nil, count: 1) == nil)
        #expect(SparseOrder.positions(after: nil, before: .min + 3, count: 1) == nil)
        #expect(SparseOrder.positions(after: .max - gap, before: nil, count: .max >> 34) == nil)
    }

    @Test func spansWiderThanAnIntegerHaveRoom() throws {
        let positions = try #require(SparseOrder.positions(after: .min, before: .max, count: 1))
        #expect(positions[0] > .min && positions[0] < .max)
    }
}
