internal import Foundation
internal import PhotoModel

/// The metadata of an asset's original and of the sidecars imported for the asset.
struct SidecarHistory: Sendable {
    private let file: SidecarStatement
    private var sidecars = SidecarVersions<SidecarStatement>()

    init(file: SidecarStatement) { self.file = file }

    /// Adds a sidecar that was imported after all sidecars added so far.
    ///
    /// - Parameters:
    ///   - name: Its file name; of several sidecars with one name only the newest counts.
    ///   - rank: The precision of the name's match with the asset's name; 0 is the most precise.
    ///   - statement: Its metadata.
    mutating func add(name: [UInt8], rank: Int, _ statement: SidecarStatement) {
        sidecars.add(statement, name: name, rank: rank, date: statement.metadataDate)
    }

    /// Returns the history of the asset after another file became its original.
    ///
    /// - Parameters:
    ///   - file: The metadata of the new original.
    ///   - rank: Returns the precision with which a sidecar's name matches the asset's files; nil
    ///     for a name that matches none of them.
    /// - Returns: The history, with the same sidecars.
    func ledBy(_ file: SidecarStatement, rank: (SourceName) -> Int?) -> SidecarHistory {
        var history = SidecarHistory(file: file)
        for (name, statement) in sidecars.all {
            guard let rank = rank(SourceName(path: name)) else { continue }
            history.add(name: name, rank: rank, statement)
        }
        return history
    }

    /// The values of the asset's fields that result from the original and the sidecars.
    var values: SidecarPolicy.Values {
        SidecarPolicy.values(file: file, sidecars: sidecars.ordered)
    }
}
