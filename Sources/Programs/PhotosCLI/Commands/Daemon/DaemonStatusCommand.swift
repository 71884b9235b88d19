import ArgumentParser
import Foundation
import PhotosJSON
import PhotosManagement

/// Shows the state of the library daemon.
struct DaemonStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the state of the library daemon.",
        discussion: """
            The exit status is 0 if the daemon runs, and 1 if it does not. The JSON object has the \
            keys running, socket, pid, version, protocol, library, uptime (seconds), duty, clients \
            (each with program, class and calls), duties and counters. Without a daemon it has \
            running and socket.

            duty is the kind of process that performs background work: daemon, embedded or \
            null. Each of duties has a name (recovery, purge, history, answers, renditions, \
            watchFolders, scrub), a state (idle, running, paused, waiting, failed; damaged if files \
            that were read again are) and lastRun, in seconds since 1970.

            EXAMPLES
              photos daemon status
              photos daemon status --json | jq -r '.clients[].program'
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let state = try LibraryDaemon.state()
        if output.json {
            try StandardOutput.shared.write(Self.object(state).line + "\n")
        } else if let state {
            var rows = Columns()
            rows.add(["Process", "\(state.processIdentifier)"])
            rows.add(["Version", "\(state.version), protocol \(state.protocolNumber)"])
            rows.add(["Socket", TerminalStyle.safe(state.socket)])
            if let library = state.library { rows.add(["Library", TerminalStyle.safe(library)]) }
            rows.add(["Running for", "\(Int(state.uptime)) s"])
            for client in state.clients {
                let calls = client.callCount == 1 ? "1 call" : "\(client.callCount) calls"
                let program = TerminalStyle.safe(client.program)
                rows.add(["Client", "\(program) (\(client.identityClass), \(calls))"])
            }
            if let holder = state.dutyHolder { rows.add(["Duties of", holder]) }
            for duty in state.duties {
                let last = duty.lastRun.map { Date(timeIntervalSince1970: $0) }
                let time = last.map { ", last run " + LocalTime.zoned($0) } ?? ""
                rows.add(["Duty", "\(duty.name): \(duty.state)\(time)"])
            }
            for line in rows.lines() { try StandardOutput.shared.write(line + "\n") }
        } else {
            try StandardOutput.shared.write("No library daemon is running.\n")
        }
        try StandardOutput.shared.flush()
        if state == nil { throw ExitCode(ExitStatus.failed) }
    }

    private static func object(_ state: LibraryDaemonState?) -> JSONObject {
        var object = JSONObject()
        object.add("running", state != nil)
        object.add("socket", state?.socket ?? LibraryDaemon.socketPath)
        guard let state else { return object }
        object.add("pid", Int(state.processIdentifier))
        object.add("version", state.version)
        object.add("protocol", state.protocolNumber)
        object.add("library", state.library)
        object.add("uptime", state.uptime)
        object.add("duty", state.dutyHolder)
        object.add(
            "clients",
            state.clients.map { client in
                var object = JSONObject()
                object.add("program", client.program)
                object.add("class", client.identityClass)
                object.add("calls", client.callCount)
                return object
            }
        )
        object.add(
            "duties",
            state.duties.map { duty in
                var object = JSONObject()
                object.add("name", duty.name)
                object.add("state", duty.state)
                object.add("lastRun", duty.lastRun)
                return object
            }
        )
        var counters = JSONObject()
        for (name, count) in state.counters.sorted(by: { $0.key < $1.key }) {
            counters.add(name, count)
        }
        object.add("counters", counters)
        return object
    }
}
