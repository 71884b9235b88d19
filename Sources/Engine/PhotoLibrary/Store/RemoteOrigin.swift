package import Foundation
package import PhotoModel

/// The origin of changes that were first made on another device and are only recorded here.
package struct RemoteOrigin: Hashable, Sendable {
    package var author: String
    /// The device that made the changes.
    package var device: String
    /// The time at the origin, which applies to the changed values.
    package var time: Date
    /// The time of the changes in the order of all devices.
    package var stamp: HybridTime

    package init(author: String, device: String, time: Date, stamp: HybridTime) {
        self.author = author
        self.device = device
        self.time = time
        self.stamp = stamp
    }
}
