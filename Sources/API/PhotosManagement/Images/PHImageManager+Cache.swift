internal import Foundation
public import Photos

extension PHImageManager {
    /// What image managers keep in memory of what they delivered.
    public struct CacheStatistics: Sendable, Hashable {
        /// Requests that were answered from memory.
        public var hits: Int
        /// Requests that were not.
        public var misses: Int
        /// Bytes of pixels that are kept.
        public var bytes: Int
        /// So many are kept at most.
        public var limitInBytes: Int
    }

    /// What is kept in memory of what was delivered, and how often that helped since the program began.
    public static var cacheStatistics: CacheStatistics {
        let statistics = PHImageManager.cachedImages
        return CacheStatistics(
            hits: statistics.hits,
            misses: statistics.misses,
            bytes: statistics.bytes,
            limitInBytes: statistics.limitInBytes
        )
    }

    /// Limits the bytes of pixels that image managers keep in memory; 128 MB until it is called.
    ///
    /// For a program that lives long and keeps pictures in a form of its own, such as files to be sent. The
    /// process's memory of pixels then goes back to the system as soon as they are dropped.
    ///
    /// - Parameter limit: Bytes; pictures of more than a quarter of it are not kept.
    public static func limitCachedImages(toBytes limit: Int) { limitCachedImages(inBytes: limit) }

    /// Lets go of all pictures that are kept in memory.
    ///
    /// Those that the program holds stay as they are.
    public static func removeCachedImages() { forgetCachedImages() }
}
