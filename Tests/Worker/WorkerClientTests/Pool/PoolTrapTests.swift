import Foundation
import PhotoModel
import Testing
import WorkerClient
import WorkerProtocol

/// Errors of the engine's own programmers stop the program before a worker starts.
@Suite(.timeLimit(.minutes(2)))
struct PoolTrapTests {
    @Test func poolsWithoutWorkers() async {
        await #expect(processExitsWith: .failure) {
            _ = WorkerPool(configuration: .init(maximumWorkers: 0))
        }
    }

    @Test func renderingsWithoutADescriptorForEachSource() async {
        await #expect(processExitsWith: .failure) {
            let size = PixelSize(width: 2, height: 2)
            let rendering = PictureRendering(
                recipe: PictureRecipe(steps: [.init(.source(0))]),
                sources: [.file(size)],
                region: RecipeRectangle(size),
                output: .png,
                colors: .sRGB
            )
            _ = try WorkerPool(configuration: .init()).render(rendering, descriptors: [])
        }
    }
}
