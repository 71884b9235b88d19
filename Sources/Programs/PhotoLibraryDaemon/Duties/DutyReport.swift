internal import EmbeddedLibrary
internal import PhotoLibrary
internal import RemoteLibrary

/// The background work of all open libraries, as the state of the daemon shows it.
struct DutyReport {
    /// The kind of process that holds the duty lock: this daemon, or the holder of the lock of the
    /// standard library; nil if there is none.
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
