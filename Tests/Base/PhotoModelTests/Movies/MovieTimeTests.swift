import PhotoModel
import Testing

@Suite(.timeLimit(.minutes(1))) struct MovieTimeTests {
    @Test func timesAreFractions() {
        #expect(MovieTime(value: 3, timescale: 2).seconds == 1.5)
        #expect(MovieTime(value: 3, timescale: 2).microseconds == 1_500_000)
        #expect(MovieTime(value: 1, timescale: 3).microseconds == 333_333)
        #expect(MovieTime.zero.seconds == 0)
    }

    @Test func foreignNumbersDoNotOverflow() {
        #expect(MovieTime(value: 5, timescale: 0).timescale == 1)
        #expect(MovieTime(value: 5, timescale: -9).timescale == 1)
        #expect(MovieTime(value: .max, timescale: 1).microseconds == 0)
        #expect(MovieTime(value: .min, timescale: 1).microseconds == 0)
        #expect(MovieTime(value: 100_000_000_000, timescale: 1).microseconds == 0)
        #expect(
            MovieTime(value: 99_999_999_999, timescale: 1).microseconds == 99_999_999_999_000_000
        )
    }

    @Test func factsBeginEmpty() {
        let track = MovieTrack(id: 2, kind: .audio)
        #expect(track.isEnabled && track.fitsQuickTime && !track.isHDR && !track.isDecodable)
        #expect(track.transform == .identity && track.duration == .zero)
        let facts = MovieFacts(containerType: "public.mpeg-4")
        #expect(facts.tracks.isEmpty && facts.duration == .zero && !facts.hasProtectedContent)
        let conversion = MovieConversion(container: .mp4)
        #expect(conversion.movesIndexToFront && conversion.keepsMetadata)
        #expect(conversion.video == .copy && conversion.audio == .copy)
    }
}
