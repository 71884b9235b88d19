import BinaryCoding
import LibraryService
import PhotoModel
import RemoteLibrary
import SamplePhotos
import TestSupport
import Testing

/// Every type that crosses a connection survives both coders.
@Suite(.timeLimit(.minutes(5))) struct RoundTripTests {
    private static let valuesPerType = 60

    private let seed = TestSeed()

    @Test(arguments: SeamMessage.all) func valueIsPreserved(_ message: SeamMessage) throws {
        var generator = seed.generator
        for _ in 0..<Self.valuesPerType {
            let fabrication = Fabrication(seed: generator.next())
            let value = try message.value(fabrication)
            for coder: any WireCoder in [BinaryCoder(), JSONCoder()] {
                let bytes = try coder.encode(value)
                let decoded = try message.decode(bytes, with: coder)
                #expect(SeamMessage.areEqual(value, decoded), seed.comment)
            }
        }
    }

    @Test func fabricationCoversEveryCase() throws {
        var generator = seed.generator
        var scopes: Set<String> = []
        for _ in 0..<400 {
            let fabrication = Fabrication(seed: generator.next())
            let request = try fabrication.value(AssetFetchRequest.self)
            scopes.insert(String("\(request.scope)".prefix { $0 != "(" }))
        }
        #expect(scopes.count == 7, "\(scopes.sorted()) \(seed)")
    }
}
