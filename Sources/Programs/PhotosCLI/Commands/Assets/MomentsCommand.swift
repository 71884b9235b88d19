import ArgumentParser
import Foundation
import Photos
import PhotosJSON

/// Shows moments as a tree: years, clusters, moments.
struct MomentsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "moments",
        abstract: "List photos and movies by time and place.",
        discussion: """
            Prints years, in them clusters of nearby moments, and in those the moments: the photos \
            and movies of one place and one part of a day. Each line has the days of the first and \
            the last; moments also have the number of their photos and movies, and are named after \
            their place, or after their date if the place is unknown. Hidden and deleted photos \
            are in no moment. With --json, a list precedes its contents, which refer to it by \
            parentLocalIdentifier. photos list --album lists the contents of a moment.

            EXAMPLES
              photos moments
              photos moments --json | jq 'select(.localizedLocationNames | index("Italy"))'
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        _ = try location.open()
        if let error = PHPhotoLibrary.shared().unavailabilityReason { throw error }
        var rows = Columns()
        try MomentTree.walk { collection, list, depth in
            if output.json {
                try StandardOutput.shared.write(
                    JSONObject(moment: collection, in: list).line + "\n"
                )
            } else {
                rows.add(Self.row(collection, depth: depth))
            }
        }
        for line in rows.lines(rightAligned: [1]) {
            try StandardOutput.shared.write(line + "\n")
        }
    }

    private static func row(_ collection: PHCollection, depth: Int) -> [String] {
        let title = TerminalStyle.safe(collection.localizedTitle ?? "")
        let moment = collection as? PHAssetCollection
        let list = collection as? PHCollectionList
        let dates = [moment?.startDate ?? list?.startDate, moment?.endDate ?? list?.endDate]
        let days = dates.compactMap { $0.map(LocalTime.day) }
        return [
            String(repeating: "  ", count: depth) + title,
            moment.map { "\($0.estimatedAssetCount)" } ?? "",
            days.first == days.last ? days.first ?? "" : days.joined(separator: " – "),
            TerminalStyle.dim(collection.localIdentifier),
        ]
    }
}

/// The tree of years, clusters and moments, oldest first.
enum MomentTree {
    /// Visits each list and moment in preorder.
    ///
    /// - Parameter body: Called with a list or a moment, its parent list (nil for a year), and its
    ///   depth, 0 for a year.
    static func walk(_ body: (PHCollection, PHCollectionList?, Int) throws -> Void) rethrows {
        var clusters = lists(.momentListCluster)[...]
        for year in lists(.momentListYear) {
            try body(year, nil, 0)
            let inYear = Set(moments(in: year).map(\.localIdentifier))
            while let cluster = clusters.first {
                let inCluster = moments(in: cluster)
                guard inCluster.contains(where: { inYear.contains($0.localIdentifier) }) else {
                    break
                }
                clusters.removeFirst()
                try body(cluster, year, 1)
                for moment in inCluster { try body(moment, cluster, 2) }
            }
        }
    }

    private static func lists(_ subtype: PHCollectionListSubtype) -> [PHCollectionList] {
        CollectionArguments.all(PHCollectionList.fetchMomentLists(with: subtype, options: nil))
    }

    private static func moments(in list: PHCollectionList) -> [PHAssetCollection] {
        CollectionArguments.all(
            PHAssetCollection.fetchMoments(inMomentList: list, options: nil)
        )
    }
}

extension JSONObject {
    /// Creates the JSON of a moment or a list of moments, with the names of PhotoKit's properties
    /// as keys.
    fileprivate init(moment collection: PHCollection, in parent: PHCollectionList?) {
        self.init()
        let moment = collection as? PHAssetCollection
        let list = collection as? PHCollectionList
        add("localIdentifier", collection.localIdentifier)
        add("objectType", moment == nil ? "collectionList" : "assetCollection")
        add("collectionListSubtype", list.map { "\($0.collectionListSubtype)" })
        add("localizedTitle", collection.localizedTitle)
        add(
            "localizedLocationNames",
            moment?.localizedLocationNames ?? list?.localizedLocationNames ?? []
        )
        add("parentLocalIdentifier", parent?.localIdentifier)
        add("estimatedAssetCount", moment?.estimatedAssetCount)
        add("startDate", moment?.startDate ?? list?.startDate)
        add("endDate", moment?.endDate ?? list?.endDate)
        add(
            "approximateLocation",
            moment?.approximateLocation.map { place in
                var object = JSONObject()
                object.add("latitude", place.coordinate.latitude)
                object.add("longitude", place.coordinate.longitude)
                return object
            }
        )
    }
}
