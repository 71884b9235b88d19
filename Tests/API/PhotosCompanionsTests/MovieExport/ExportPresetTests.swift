import PhotoModel
import Testing

@testable import PhotosCompanions

/// What a preset does with a movie, before anything is encoded.
@Suite(.timeLimit(.minutes(1))) struct ExportPresetTests {
    private func preset(_ name: String) throws -> ExportPreset {
        try #require(ExportPreset.named(name))
    }

    @Test func everyPresetHasItsName() {
        #expect(Set(ExportPreset.all.map(\.name)).count == ExportPreset.all.count)
        for preset in ExportPreset.all {
            #expect(ExportPreset.named(preset.name)?.name == preset.name)
        }
        #expect(ExportPreset.named("AVAssetExportPresetOther") == nil)
    }

    @Test(
        arguments: [
            (Double.infinity, 0), (.nan, 0), (-5, 0), (0, 0), (1.9, 1),
            (1e30, 9_000_000_000_000_000_000),
        ] as [(Double, Int64)]
    )
    func lengthsAreClamped(_ row: (Double, Int64)) {
        #expect(Int64(clamped: row.0) == row.1)
    }
}
