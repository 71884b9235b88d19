package import LibraryService
internal import PhotoModel
package import PhotosCompanions

extension PHAssetChangeRequest {
    /// Records an asset operation that PhotoKit has no API for.
    ///
    /// - Parameters:
    ///   - assets: Any collection of assets.
    ///   - call: The client's call, for errors.
    ///   - action: Returns the operation on the assets with the given UUIDs.
    package static func record(
        _ assets: any NSFastEnumeration,
        _ call: String,
        _ action: ([String]) -> ChangeAction
    ) {
        let recorder = ChangeRecorder.recording(call)
        recorder.add(call, action(recorder.uuids(assets, of: [.asset], in: call)))
    }
}
