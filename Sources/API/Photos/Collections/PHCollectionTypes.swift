/// What kind of album an asset collection is.
public enum PHAssetCollectionType: Int, Hashable, Codable, Sendable {
    /// Made by a user or an import.
    case album = 1
    /// Its assets follow from their properties.
    case smartAlbum = 2
    /// Assets that were captured at one place and time.
    ///
    /// Deprecated in PhotoKit.
    case moment = 3
}

/// Which album an asset collection is.
public enum PHAssetCollectionSubtype: Int, Hashable, Codable, Sendable {
    /// An album of the user's own.
    case albumRegular = 2
    /// An event that was synced from a computer.
    case albumSyncedEvent = 3
    /// A group of faces that was synced from a computer.
    case albumSyncedFaces = 4
    /// An album that was synced from a computer.
    case albumSyncedAlbum = 5
    /// An album that came with an import.
    case albumImported = 6
    /// The user's photo stream.
    case albumMyPhotoStream = 100
    /// An album that is shared through a cloud.
    case albumCloudShared = 101
    /// A smart album without a more specific subtype.
    case smartAlbumGeneric = 200
    /// Panoramas.
    case smartAlbumPanoramas = 201
    /// Movies.
    case smartAlbumVideos = 202
    /// Favourites.
    case smartAlbumFavorites = 203
    /// Time-lapse movies.
    case smartAlbumTimelapses = 204
    /// Hidden assets.
    case smartAlbumAllHidden = 205
    /// What came into the library lately.
    case smartAlbumRecentlyAdded = 206
    /// Bursts.
    case smartAlbumBursts = 207
    /// Slow-motion movies.
    case smartAlbumSlomoVideos = 208
    /// Everything in the user's library.
    case smartAlbumUserLibrary = 209
    /// Pictures by the front camera.
    case smartAlbumSelfPortraits = 210
    /// Pictures of screens.
    case smartAlbumScreenshots = 211
    /// Portraits with depth.
    case smartAlbumDepthEffect = 212
    /// Live Photos.
    case smartAlbumLivePhotos = 213
    /// Images that move.
    case smartAlbumAnimated = 214
    /// Long exposures made of Live Photos.
    case smartAlbumLongExposures = 215
    /// What a cloud did not take.
    case smartAlbumUnableToUpload = 216
    /// RAWs.
    case smartAlbumRAW = 217
    /// Movies in cinematic mode.
    case smartAlbumCinematic = 218
    /// Photos and movies for two eyes.
    case smartAlbumSpatial = 219
    /// Movies of screens.
    case smartAlbumScreenRecordings = 220
    /// Every subtype of a type, in fetches.
    case any = 9_223_372_036_854_775_807
}

/// What kind of list a collection list is.
public enum PHCollectionListType: Int, Hashable, Codable, Sendable {
    /// A list of moments.
    ///
    /// Deprecated in PhotoKit.
    case momentList = 1
    /// A folder of albums and folders.
    case folder = 2
    /// A folder whose content follows from properties.
    case smartFolder = 3
}

/// Which list a collection list is.
public enum PHCollectionListSubtype: Int, Hashable, Codable, Sendable {
    /// Moments that lie near one another.
    ///
    /// Deprecated in PhotoKit.
    case momentListCluster = 1
    /// The moments of a year.
    ///
    /// Deprecated in PhotoKit.
    case momentListYear = 2
    /// A folder of the user's own.
    case regularFolder = 100
    /// The one folder that holds what has no other folder.
    case rootFolder = 101
    /// Events that were synced from a computer.
    case smartFolderEvents = 200
    /// Faces that were synced from a computer.
    case smartFolderFaces = 201
    /// Every subtype of a type, in fetches.
    case any = 9_223_372_036_854_775_807
}

/// What can be done to a collection.
///
/// See ``PHCollection/canPerform(_:)``.
public enum PHCollectionEditOperation: Int, Hashable, Codable, Sendable {
    /// Delete the things in it.
    case deleteContent = 1
    /// Take things out of it, which stay in the library.
    case removeContent = 2
    /// Put things of the library into it.
    case addContent = 3
    /// Make new things in it.
    case createContent = 4
    /// Change the order of what is in it.
    case rearrangeContent = 5
    /// Delete it.
    case delete = 6
    /// Give it another title.
    case rename = 7
}
