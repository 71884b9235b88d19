/// The type of an asset collection.
public enum PHAssetCollectionType: Int, Hashable, Codable, Sendable {
    /// An album created by a user or an import.
    case album = 1
    /// A smart album, whose assets are selected by their properties.
    case smartAlbum = 2
    /// A moment: assets that were captured at one place and time.
    ///
    /// This case is deprecated in PhotoKit.
    case moment = 3
}

/// The subtype of an asset collection.
public enum PHAssetCollectionSubtype: Int, Hashable, Codable, Sendable {
    /// An album that a user created.
    case albumRegular = 2
    /// An event that was synced from a computer.
    case albumSyncedEvent = 3
    /// A group of faces that was synced from a computer.
    case albumSyncedFaces = 4
    /// An album that was synced from a computer.
    case albumSyncedAlbum = 5
    /// An album from an import.
    case albumImported = 6
    /// The user's photo stream.
    case albumMyPhotoStream = 100
    /// An album that is shared through a cloud service.
    case albumCloudShared = 101
    /// A smart album without a more specific subtype.
    case smartAlbumGeneric = 200
    /// The smart album of panoramas.
    case smartAlbumPanoramas = 201
    /// The smart album of movies.
    case smartAlbumVideos = 202
    /// The smart album of favorites.
    case smartAlbumFavorites = 203
    /// The smart album of time-lapse movies.
    case smartAlbumTimelapses = 204
    /// The smart album of hidden assets.
    case smartAlbumAllHidden = 205
    /// The smart album of recently added assets.
    case smartAlbumRecentlyAdded = 206
    /// The smart album of bursts.
    case smartAlbumBursts = 207
    /// The smart album of slow-motion movies.
    case smartAlbumSlomoVideos = 208
    /// The smart album of all assets in the user's library.
    case smartAlbumUserLibrary = 209
    /// The smart album of photos from the front camera.
    case smartAlbumSelfPortraits = 210
    /// The smart album of screenshots.
    case smartAlbumScreenshots = 211
    /// The smart album of portraits with a depth effect.
    case smartAlbumDepthEffect = 212
    /// The smart album of Live Photos.
    case smartAlbumLivePhotos = 213
    /// The smart album of animated images.
    case smartAlbumAnimated = 214
    /// The smart album of long exposures made from Live Photos.
    case smartAlbumLongExposures = 215
    /// The smart album of assets that could not be uploaded to a cloud service.
    case smartAlbumUnableToUpload = 216
    /// The smart album of RAW photos.
    case smartAlbumRAW = 217
    /// The smart album of movies in cinematic mode.
    case smartAlbumCinematic = 218
    /// The smart album of stereoscopic photos and movies.
    case smartAlbumSpatial = 219
    /// The smart album of screen recordings.
    case smartAlbumScreenRecordings = 220
    /// All subtypes of a type, for use in fetches.
    case any = 9_223_372_036_854_775_807
}

/// The type of a collection list.
public enum PHCollectionListType: Int, Hashable, Codable, Sendable {
    /// A list of moments.
    ///
    /// This case is deprecated in PhotoKit.
    case momentList = 1
    /// A folder of albums and folders.
    case folder = 2
    /// A smart folder, whose content is selected by properties.
    case smartFolder = 3
}

/// The subtype of a collection list.
public enum PHCollectionListSubtype: Int, Hashable, Codable, Sendable {
    /// A cluster of nearby moments.
    ///
    /// This case is deprecated in PhotoKit.
    case momentListCluster = 1
    /// The moments of a year.
    ///
    /// This case is deprecated in PhotoKit.
    case momentListYear = 2
    /// A folder that a user created.
    case regularFolder = 100
    /// The root folder, which contains the collections that are not in any other folder.
    case rootFolder = 101
    /// A folder of events that were synced from a computer.
    case smartFolderEvents = 200
    /// A folder of faces that were synced from a computer.
    case smartFolderFaces = 201
    /// All subtypes of a type, for use in fetches.
    case any = 9_223_372_036_854_775_807
}

/// An operation on a collection.
///
/// See ``PHCollection/canPerform(_:)``.
public enum PHCollectionEditOperation: Int, Hashable, Codable, Sendable {
    /// Deleting the content of the collection.
    case deleteContent = 1
    /// Removing content from the collection; the content stays in the library.
    case removeContent = 2
    /// Adding content of the library to the collection.
    case addContent = 3
    /// Creating new content in the collection.
    case createContent = 4
    /// Reordering the content of the collection.
    case rearrangeContent = 5
    /// Deleting the collection.
    case delete = 6
    /// Renaming the collection.
    case rename = 7
}
