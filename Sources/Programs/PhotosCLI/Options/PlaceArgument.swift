import ArgumentParser
import Foundation
import Photos

/// A location argument, either `LATITUDE,LONGITUDE[,ALTITUDE]` in degrees and meters or `none`.
struct PlaceArgument: ExpressibleByArgument {
    /// The location; nil for `none`.
    let location: CLLocation?

    init?(argument: String) {
        if argument == "none" {
            location = nil
            return
        }
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Double($0.drop { $0 == " " }) }
        guard numbers.count == parts.count, (2...3).contains(numbers.count),
            (-90...90).contains(numbers[0]), (-180...180).contains(numbers[1]),
            numbers.allSatisfy(\.isFinite)
        else { return nil }
        location = CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: numbers[0], longitude: numbers[1]),
            altitude: numbers.count == 3 ? numbers[2] : 0,
            horizontalAccuracy: 0,
            // Only an altitude with a positive accuracy is known.
            verticalAccuracy: numbers.count == 3 ? 1 : -1,
            timestamp: Date()
        )
    }
}
