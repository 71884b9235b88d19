import Foundation

@testable import RemoteLibrary

/// The number of damaged streams, and typed errors out of closures.
enum FrameMutations {
    static let count =
        ProcessInfo.processInfo.environment["PHOTOS_FRAME_MUTATIONS"].flatMap(Int.init) ?? 6_000

    static func receive(
        _ bytes: [UInt8],
        _ parser: inout FrameParser
    ) throws(TransportError) -> Frame? {
        var parserCopy = parser
        let result = bytes.withUnsafeBytes { bytes -> Result<Frame?, TransportError> in
            do throws(TransportError) {
                return .success(try parserCopy.receive(bytes))
            } catch {
                return .failure(error)
            }
        }
        parser = parserCopy
        return try result.get()
    }
}
