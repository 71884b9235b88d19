public import Photos
import PhotosManagement

extension JSONObject {
    /// Creates the JSON of an asset, with the names of `PHAsset`'s properties as keys.
    public init(_ asset: PHAsset) {
        self.init()
        add("localIdentifier", asset.localIdentifier)
        add("mediaType", asset.mediaType.name)
        add("mediaSubtypes", asset.mediaSubtypes.names)
        add("playbackStyle", asset.playbackStyle.name)
        add("contentType", asset.contentType.identifier)
        add("pixelWidth", asset.pixelWidth)
        add("pixelHeight", asset.pixelHeight)
        add("duration", asset.duration)
        add("creationDate", asset.creationDate)
        add("modificationDate", asset.modificationDate)
        add("addedDate", asset.addedDate)
        add("location", asset.location.map(JSONObject.init(place:)))
        add("isFavorite", asset.isFavorite)
        add("isHidden", asset.isHidden)
        add("rating", asset.isRejected ? "rejected" : asset.rating.name)
        add("burstIdentifier", asset.burstIdentifier)
        add("burstSelectionTypes", asset.burstSelectionTypes.names)
        add("representsBurst", asset.representsBurst)
        add("sourceType", asset.sourceType.names)
        add("hasAdjustments", asset.hasAdjustments)
        add("adjustmentsState", asset.adjustmentsState.name)
        add("adjustmentFormatIdentifier", asset.adjustmentFormatIdentifier)
        add("adjustmentTimestamp", asset.adjustmentTimestamp)
        add("originalFilename", asset.extendedMetadata.originalFilename)
        add("caption", asset.extendedMetadata.caption)
        add("keywords", Array(asset.extendedMetadata.keywords))
    }

    /// Creates the JSON of an asset with all its details.
    public init(_ details: AssetDetails) {
        self.init(details.asset)
        let facts = details.facts
        add("title", facts.title)
        add("captureTime", facts.capture.map(JSONObject.init(capture:)))
        add("camera", JSONObject(camera: facts.camera))
        add("frameRate", facts.frameRate)
        add("contentIdentifier", facts.contentIdentifier)
        add("contentVersion", facts.contentVersion)
        add("resources", details.resources.map(JSONObject.init(resource:)))
        add("albums", details.albums.map(JSONObject.init(album:)))
        add("versions", details.versions.map(JSONObject.init(version:)))
        if let place = details.place { add("cloud", place.rawValue) }
    }

    private init(album: PHAssetCollection) {
        self.init()
        add("localIdentifier", album.localIdentifier)
        add("localizedTitle", album.localizedTitle)
    }

    private init(place: CLLocation) {
        self.init()
        add("latitude", place.coordinate.latitude)
        add("longitude", place.coordinate.longitude)
        add("altitude", place.verticalAccuracy > 0 ? place.altitude : nil)
    }

    private init(capture: CaptureFacts) {
        self.init()
        add("date", capture.date)
        add("wallTime", capture.wallTime)
        add("utcOffset", capture.utcOffset)
        add("wallTimeSource", capture.wallTimeSource.rawValue)
        add("dateSource", capture.dateSource.rawValue)
    }

    private init(camera: CameraFacts) {
        self.init()
        add("make", camera.make)
        add("model", camera.model)
        add("lens", camera.lens)
        add("software", camera.software)
        add("aperture", camera.aperture)
        add("exposureTime", camera.exposureTime)
        add("isoSpeed", camera.isoSpeed)
        add("focalLength", camera.focalLength)
        add("focalLengthIn35mmFilm", camera.focalLengthIn35mmFilm)
    }

    private init(resource: ResourceFacts) {
        self.init()
        add("type", resource.role.rawValue)
        add("originalFilename", resource.originalFilename)
        add("uniformTypeIdentifier", resource.uniformTypeIdentifier)
        add("fileSize", resource.fileSize)
        add("sha256", resource.sha256)
        add("pixelWidth", resource.pixelWidth)
        add("pixelHeight", resource.pixelHeight)
        add("path", resource.relativePath)
    }

    private init(version: AssetDetails.Version) {
        self.init()
        add("version", version.name)
        add("resources", version.resources.map(\.role.rawValue))
        add("isCurrent", version.isCurrent)
    }
}
