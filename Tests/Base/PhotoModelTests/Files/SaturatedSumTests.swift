import PhotoModel
import Testing

/// Sums of sizes that files and rows state.
@Suite(.timeLimit(.minutes(1))) struct SaturatedSumTests {
    @Test func sumsAreClampedAtBothEnds() {
        #expect(Int64(2).addingSaturated(3) == 5)
        #expect(Int64(-2).addingSaturated(-3) == -5)
        #expect(Int64.max.addingSaturated(1) == .max)
        #expect(Int64(1).addingSaturated(.max) == .max)
        #expect(Int64.min.addingSaturated(-1) == .min)
        #expect(Int64(-1).addingSaturated(.min) == .min)
        #expect(Int64.min.addingSaturated(.max) == -1)
    }
}
