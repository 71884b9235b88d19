internal import EmbeddedLibrary
internal import PhotoLibrary
internal import RemoteLibrary

/// The combined state of the background work of all open libraries, for the daemon's status report.
struct DutyReport {
    /// The kind of process that holds a duty lock; nil if no process holds one.
    ///
    /// If this daemon holds none, it is the holder of the standard library's lock.
    let holder: String?
    let duties: [DaemonStatus.Duty]

    init(
        _ entries: [String: EngineTable.Entry],
        watching: DutyState?,
        standardLibrary: String
    ) {
        var states = entries.values.map(\.duties.duties)
        if let watching { states.append([.watchFolders: watching]) }
        duties =
            states.reduce(into: [Duty: DutyState]()) { all, states in
                all.merge(states) { $0.merged(with: $1) }
            }.report
        if entries.values.contains(where: \.duties.holdsLock) {
            holder = DutyLock.Holder.daemon.rawValue
        } else {
            holder = EmbeddedLibrary.dutyHolder(at: standardLibrary)?.rawValue
        }
    }
}
