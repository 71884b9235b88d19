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
        let before = try cloud.state()
        guard before.activity != .none else { throw Self.notJoined }
        // A session that is in progress may have read the library before the last change.
        if before.activity == .syncing { try wait(cloud, before.sessionCount, interruption) }
        let count = try cloud.sync().sessionCount
        try wait(cloud, count, interruption)
        return try cloud.state()
    }

    private func wait(
        _ cloud: CloudLibrary,
        _ count: Int,
        _ interruption: Interruption
    ) throws {
        while interruption.error == nil {
            let state = try cloud.state(after: count)
            if StandardError.isTerminal, !output.json {
                StandardError.shared.show(status: Self.summary(state))
            }
            if state.sessionCount > count { break }
        }
        StandardError.shared.clearStatus()
    }

    /// Waits for about a minute before the next session, also if other sessions end meanwhile;
    /// returns earlier if the command is interrupted.
    private func pause(
        _ cloud: CloudLibrary,
        _ count: Int,
        _ interruption: Interruption
    ) throws {
        var count = count
        for _ in 0..<60 where interruption.error == nil {
            // The request returns at once if the daemon has ended more sessions than `count`.
            count = try cloud.state(after: count).sessionCount
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
