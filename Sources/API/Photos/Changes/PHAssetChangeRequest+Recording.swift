package import LibraryService
internal import PhotoModel
package import PhotosCompanions

extension PHAssetChangeRequest {
    /// Records an operation on assets, for which PhotoKit has no name.
    ///
    /// - Parameters:
    ///   - assets: Assets; any collection of them.
    ///   - call: The client's call, for errors.
    ///   - action: The operation on the assets with these UUIDs.
    package static func record(
        _ assets: any NSFastEnumeration,
        _ call: String,
        _ action: ([String]) -> ChangeAction
    ) {
        let recorder = ChangeRecorder.recording(call)
        recorder.add(call, action(recorder.uuids(assets, of: [.asset], in: call)))
    }
}
