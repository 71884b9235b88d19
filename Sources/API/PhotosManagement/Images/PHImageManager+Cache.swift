internal import Foundation
public import Photos

extension PHImageManager {
    /// Statistics of the image managers' memory cache.
    public struct CacheStatistics: Sendable, Hashable {
        /// The number of requests served from the cache.
        public var hits: Int
        /// The number of requests not served from the cache.
        public var misses: Int
        /// The size of the cached pixels in bytes.
        public var bytes: Int
        /// The maximum size of the cached pixels in bytes.
        public var limitInBytes: Int
    }

    /// The current statistics of the memory cache; hits and misses count since the program started.
    public static var cacheStatistics: CacheStatistics {
        let statistics = PHImageManager.cachedImages
        return CacheStatistics(
            hits: statistics.hits,
            misses: statistics.misses,
            bytes: statistics.bytes,
            limitInBytes: statistics.limitInBytes
        )
    }

    /// Sets the size limit of the image managers' memory cache; the default is 128 MB.
    ///
    /// Use it in a long-running program that keeps images in its own form, such as files to be
    /// sent. After the call, the memory of pixels is returned to the operating system as soon as
    /// the pixels are released.
    ///
    /// - Parameter limit: The limit in bytes. An image larger than a quarter of it is not cached.
    public static func limitCachedImages(toBytes limit: Int) { limitCachedImages(inBytes: limit) }

    /// Removes all images from the memory cache.
    ///
    /// Images that the program holds stay valid.
    public static func removeCachedImages() { forgetCachedImages() }
}
