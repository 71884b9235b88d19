import Foundation
import PhotoModel
import Photos
import PhotosJSON
import PhotosManagement
import SamplePhotos
import Synchronization
import TestSupport
import Testing

/// Assets of a library as JSON, read again by Foundation.
@Suite(.timeLimit(.minutes(2))) struct AssetJSONTests {
    private let folder: TemporaryFolder
    private let library: PhotoLibraryBundle

    init() throws {
        folder = try TemporaryFolder("photos-json")
        setenv("XDG_STATE_HOME", folder.file("state").path, 1)
        library = try PhotoLibraryBundle.openOrCreate(at: folder.file("A.photolibrary"))
    }

    private func details(_ asset: PHAsset) throws -> AssetDetails {
        AssetDetails(
            asset: asset,
            facts: try #require(try library.facts(for: [asset.localIdentifier]).first),
            resources: try library.resources(of: asset.localIdentifier),
            albums: []
        )
    }

    private func importing(_ data: Data, _ name: String) throws -> PHAsset {
        let source = try folder.folder("source")
        try data.write(to: source.appendingPathComponent(name))
        let summary = try LibraryImport(library: library, paths: [SourcePath(source.path)]).run {
            _ in
        }
        #expect(summary.counts[.imported] == 1)
        return try #require(library.fetchAssets(with: nil).firstObject)
    }

    private func object(_ json: JSONObject) throws -> [String: Any] {
        let found = try JSONSerialization.jsonObject(with: Data(json.line.utf8))
        return try #require(found as? [String: Any])
    }

    @Test func photoHasAllItsFacts() throws {
        var metadata = SampleMetadata(
            date: SampleDate(text: "2024:02:29 23:59:58", subseconds: "25", offset: "-03:30"),
            location: Location(latitude: -33.5, longitude: -70.25, altitude: 12.5),
            make: "Maker",
            model: "Model \"1\"",
            orientation: .right
        )
        metadata.title = "Títle"
        metadata.caption = "A caption"
        metadata.keywords = ["one", "two"]
        metadata.rating = 4
        let photo = SamplePhoto(size: PixelSize(width: 60, height: 80), metadata: metadata)
        let asset = try importing(SampleFile.jpeg(photo), "a.jpg")
        let details = try details(asset)
        let json = try object(JSONObject(details))
        #expect(json["localIdentifier"] as? String == asset.localIdentifier)
        #expect(
            json["mediaType"] as? String == "image" && json["playbackStyle"] as? String == "image"
        )
        #expect(json["mediaSubtypes"] as? [String] == [])
        #expect(json["pixelWidth"] as? Int == 60 && json["pixelHeight"] as? Int == 80)
        #expect(json["creationDate"] as? String == "2024-03-01T03:29:58.25Z")
        let place = try #require(json["location"] as? [String: Double])
        #expect(abs((place["latitude"] ?? 0) + 33.5) < 1e-6 && place["altitude"] == 12.5)
        #expect(json["rating"] as? String == "four" && json["isFavorite"] as? Bool == false)
        #expect(json["caption"] as? String == "A caption" && json["title"] as? String == "Títle")
        #expect(json["keywords"] as? [String] == ["one", "two"])
        #expect(json["originalFilename"] as? String == "a.jpg")
        #expect(json["burstIdentifier"] is NSNull && json["albums"] as? [String] == [])
        let camera = try #require(json["camera"] as? [String: Any])
        #expect(camera["model"] as? String == "Model \"1\"" && camera["isoSpeed"] is NSNull)
        let capture = try #require(json["captureTime"] as? [String: Any])
        #expect(capture["wallTime"] as? String == "2024-02-29T23:59:58.25")
        #expect(capture["utcOffset"] as? Int == -12_600)
        #expect(details.facts.capture?.clockTime == details.facts.capture?.wallTime)
        let resource = try #require((json["resources"] as? [[String: Any]])?.first)
        #expect(resource["type"] as? String == "photo")
        #expect((resource["sha256"] as? String)?.count == 64)
        let versions = try #require(json["versions"] as? [[String: Any]])
        #expect(versions.count == 1 && versions[0]["version"] as? String == "original")
        #expect(versions[0]["isCurrent"] as? Bool == true)
        // The short form is the beginning of the long one.
        #expect(JSONObject(details).line.hasPrefix(JSONObject(asset).line.dropLast()))
    }

    @Test func movieIsNotOfACamerasClock() throws {
        let movie = SampleMovie(
            size: PixelSize(width: 64, height: 48),
            duration: 0.5,
            metadata: SampleMetadata()
        )
        let asset = try importing(SampleFile.quickTime(movie), "a.mov")
        let details = try details(asset)
        let json = try object(JSONObject(details))
        #expect(json["mediaType"] as? String == "video" && json["location"] is NSNull)
        #expect(details.facts.capture?.clockTime == nil)
        #expect((json["duration"] as? Double ?? 0) > 0.4)
    }

    @Test func editIsAVersionOfItsOwn() throws {
        let photo = SamplePhoto(size: PixelSize(width: 60, height: 80))
        let asset = try importing(SampleFile.jpeg(photo), "a.jpg")
        #expect(try details(asset).versions.map(\.name) == ["original"])
        let rendered = try SampleFile.jpeg(SamplePhoto(size: PixelSize(width: 30, height: 40)))
        try library.using {
            let found = Mutex<PHContentEditingOutput?>(nil)
            let done = DispatchSemaphore(value: 0)
            asset.requestContentEditingInput(with: nil) { input, _ in
                found.withLock { $0 = input.map(PHContentEditingOutput.init(contentEditingInput:)) }
                done.signal()
            }
            #expect(done.wait(timeout: .now() + 60) == .success)
            let output = try #require(found.withLock { $0 })
            output.adjustmentData = PHAdjustmentData(
                formatIdentifier: "org.example",
                formatVersion: "1",
                data: Data([1])
            )
            try rendered.write(to: output.renderedContentURL)
            try PHPhotoLibrary.shared().performChangesAndWait {
                PHAssetChangeRequest(for: asset).contentEditingOutput = output
            }
        }
        let edit = try details(try #require(library.fetchAssets(with: nil).firstObject))
        #expect(edit.versions.map(\.name) == ["original", "current"])
        #expect(edit.versions.map(\.isCurrent) == [false, true])
        #expect(edit.versions[1].resources.map(\.role) == [.fullSizePhoto])
        let json = try object(JSONObject(edit))
        #expect(json["hasAdjustments"] as? Bool == true)
        #expect(json["adjustmentsState"] as? String == "userAdjusted")
        #expect(json["adjustmentFormatIdentifier"] as? String == "org.example")
    }
}
