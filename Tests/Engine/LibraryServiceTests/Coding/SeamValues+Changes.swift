import FoundationEssentials
import LibraryService
import PhotoModel

extension SeamValues {
    static var assetEdit: AssetEdit {
        var edit = AssetEdit()
        edit.creationDate = .set(date)
        edit.location = .set(Location(latitude: 1, longitude: -2, altitude: 3.5))
        edit.title = .set("Title")
        edit.caption = .set("")
        edit.isFavorite = true
        edit.isHidden = false
        edit.rating = 5
        edit.addedKeywords = ["one", "two words"]
        edit.removedKeywords = [""]
        edit.isLivePhotoPlaybackEnabled = false
        edit.originalResourceChoice = 1
        edit.isBurstPick = true
        return edit
    }

    static var assetCreation: AssetCreation {
        AssetCreation(
            uuid: "8D7B",
            resources: ResourceType.allCases.enumerated().map { position, type in
                ResourceCreation(
                    type: type,
                    file: FileToken(Int64(position)),
                    originalFilename: "IMG_\(position).JPG",
                    contentType: "public.jpeg",
                    path: "/photos/a.jpg"
                )
            },
            edit: assetEdit
        )
    }

    static var collection: CollectionRecord {
        var record = CollectionRecord(
            id: .max,
            uuid: "8D7B",
            kind: .album,
            title: "Ünïcode 👩‍👩‍👧 \u{0}",
            parentID: 3,
            position: .min,
            creationDate: date
        )
        record.modificationDate = .distantPast
        record.assetCount = .max
        record.startDate = date
        record.endDate = .distantFuture
        record.momentLevel = .cluster
        record.place = Location(latitude: -1.5, longitude: 180)
        record.locationNames = ["", "Ü"]
        return record
    }

    static var historyVersion: HistoryVersion {
        HistoryVersion(
            version: .max,
            time: date,
            author: "tests",
            previous: HistoryStamp(date),
            changes: [
                HistoryChange(
                    object: .asset,
                    uuid: "8D7B",
                    kind: .updated,
                    contentChanged: false,
                    properties: ["isFavorite"]
                )
            ]
        )
    }
}
