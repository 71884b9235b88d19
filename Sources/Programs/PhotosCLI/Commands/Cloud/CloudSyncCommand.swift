import ArgumentParser
import PhotosJSON
import PhotosManagement

/// Syncs in the foreground.
struct CloudSyncCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Exchange changes and photos with the cloud library.",
        discussion: """
            Without --once it continues until it is interrupted, and is refused while the library \
            daemon runs, which syncs in the background.

            The JSON object of each session has the keys uploaded, downloaded and removed (files), \
            versions (changes of other computers), pending (changes, uploads and downloads that are \
            left) and alarms.

            EXAMPLES
              photos cloud sync --once
              photos cloud sync
            """
    )

    @OptionGroup var location: LibraryOptions

    @Flag(help: "End after one session.")
    var once = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        let cloud = try CloudLibrary(of: location.url)
        guard once || cloud.isAttended else {
            throw ValidationError(
                "The library daemon is running and syncs in the background. Use --once to sync now."
            )
        }
        let interruption = Interruption()
        repeat {
            let state = try session(of: cloud, interruption)
            try report(state)
            if once, let failure = state.failure {
                StandardError.shared.say("photos: " + TerminalStyle.safe(failure))
                throw ExitCode(ExitStatus.failed)
            }
            if !once { try pause(cloud, state.sessionCount, interruption) }
        } while !once && interruption.error == nil
        if let error = interruption.error { throw error }
    }

    /// Performs a sync session and shows its progress.
    private func session(
        of cloud: CloudLibrary,
        _ interruption: Interruption
    ) throws -> CloudLibraryState {
        defer { StandardError.shared.clearStatus() }
        let before = try cloud.state()
        guard before.activity != .none else { throw Self.notJoined }
        // A session that is in progress may have read the library before the last change.
        if before.activity == .syncing { try finish(cloud, before.sessionCount, interruption) }
        try perform(cloud, interruption)
        let state = try cloud.state()
        guard state.activity != .none else { throw Self.notJoined }
        return state
    }

    /// Waits for the end of the session that is in progress.
    private func finish(
        _ cloud: CloudLibrary,
        _ count: Int,
        _ interruption: Interruption
    ) throws {
        while interruption.error == nil {
            let state = try progress(of: cloud, after: count)
            // Another count may also be that of a daemon that was started meanwhile.
            if state.activity != .syncing || state.sessionCount != count { break }
        }
    }

    /// Requests a session and waits for its end.
    private func perform(_ cloud: CloudLibrary, _ interruption: Interruption) throws {
        var count = try cloud.sync().sessionCount
        while interruption.error == nil {
            let state = try progress(of: cloud, after: count)
            if state.activity == .none || state.sessionCount > count { break }
            // A daemon that was started meanwhile counts from 0 and does not know the request.
            // While another operation is in progress, a repeated request has no effect.
            if state.sessionCount < count || state.activity != .syncing {
                count = try cloud.sync().sessionCount
            }
        }
    }

    /// Waits at most one second for more than `count` sessions to have ended, and returns and shows
    /// the state.
    private func progress(of cloud: CloudLibrary, after count: Int) throws -> CloudLibraryState {
        let state = try cloud.state(after: count)
        if StandardError.isTerminal, !output.json {
            StandardError.shared.show(status: Self.summary(state))
        }
        return state
    }

    /// Waits for about a minute before the next session, also if other sessions end meanwhile;
    /// returns earlier if the command is interrupted or the library leaves its cloud library.
    private func pause(
        _ cloud: CloudLibrary,
        _ count: Int,
        _ interruption: Interruption
    ) throws {
        var count = count
        for _ in 0..<60 where interruption.error == nil {
            // The request returns at once if the daemon has ended more sessions than `count`.
            let state = try cloud.state(after: count)
            if state.activity == .none { break }
            count = state.sessionCount
        }
    }

    private func report(_ state: CloudLibraryState) throws {
        for alarm in state.alarms {
            StandardError.shared.say("photos: " + TerminalStyle.safe(alarm))
        }
        if output.json {
            try StandardOutput.shared.write(CloudJSON.session(state).line + "\n")
        } else if state.failure == nil {
            try StandardOutput.shared.write(Self.summary(state) + "\n")
        } else if !once, let failure = state.failure {
            StandardError.shared.say("photos: " + TerminalStyle.safe(failure))
        }
        try StandardOutput.shared.flush()
    }

    private static func summary(_ state: CloudLibraryState) -> String {
        var parts = [
            Wording.count(state.uploaded, "file") + " uploaded",
            "\(state.downloaded) downloaded",
            Wording.count(state.versions, "change") + " received",
        ]
        if state.removed > 0 { parts.append("\(state.removed) removed to free space") }
        if state.pendingDownloads > 0 { parts.append("\(state.pendingDownloads) to download") }
        if state.pendingChanges > 0 { parts.append("\(state.pendingChanges) to publish") }
        return parts.joined(separator: ", ") + "."
    }

    static let notJoined = ValidationError(
        "The library is not part of a cloud library. Use photos cloud create or photos cloud join."
    )
}
