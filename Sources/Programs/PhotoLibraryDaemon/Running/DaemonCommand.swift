internal import ArgumentParser
internal import CLinuxShim
internal import CloudHost
internal import DaemonCore
internal import EmbeddedLibrary
internal import Foundation
internal import Glibc
internal import ImportSources
internal import LibraryService
internal import Logging
internal import PeerIdentity
internal import PhotoLibrary
internal import PhotoModel
internal import ProgramAccess
internal import RemoteLibrary

/// The program `photolibraryd`.
@main
struct DaemonCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photolibraryd",
        abstract: "Serve photo libraries to the programs of a user.",
        discussion: """
            Listens on a Unix socket, or on the one that systemd passes, and serves the libraries \
            of this user. “photos daemon run” starts it in the foreground.

            EXAMPLES
              photolibraryd --listen "$XDG_RUNTIME_DIR/photolibraryd/socket"
              photolibraryd --listen /srv/photos/run/socket --socket-mode 0660
            """,
        version: BuildVersion.current
    )

    @Option(
        help: ArgumentHelp(
            "The path of the socket.",
            discussion:
                "Default: the socket that systemd passes, otherwise photolibraryd/socket in"
                + " $XDG_RUNTIME_DIR.",
            valueName: "path"
        )
    )
    var listen: String?

    @Option(
        help: ArgumentHelp(
            "The permissions of the socket, in octal, such as 0660 for its group.",
            discussion:
                "Requires --listen. Programs of other users may then connect, and get what the"
                + " user of this daemon grants to them. Default: 0600, for this user only.",
            valueName: "mode"
        ),
        transform: Self.mode
    )
    var socketMode: UInt32?

    @Option(
        help: ArgumentHelp(
            "The library for programs that name none.",
            discussion:
                "Default: $PHOTOS_LIBRARY, or 'Photos Library.photolibrary' in the pictures"
                + " folder.",
            valueName: "dir"
        )
    )
    var library: String?

    @Option(
        help: ArgumentHelp(
            "The time without a client after which the daemon ends.",
            discussion: "Default: 60 if systemd passed the socket, which starts it again; otherwise"
                + " it does not end. 0 means never. It also runs as long as there are watch folders"
                + " or it changes a library in the background.",
            valueName: "seconds"
        )
    )
    var idleExit: Double?

    @Option(
        help: ArgumentHelp(
            "The time for which a library is kept open without a client.",
            discussion: "At most eight libraries are kept, and those with watch folders as long as"
                + " they have some.",
            valueName: "seconds"
        )
    )
    var keepOpen: Double = 60

    // A command that found no daemon starts one for itself.
    @Flag(help: .hidden)
    var attended = false

    @Option(help: .hidden)
    var cloudScale: Double?

    // Tests replace the conditions and the times of the system.
    @Option(help: .hidden)
    var powerSupplies: String?

    @Option(help: .hidden)
    var ioPressure: String?

    @Option(help: .hidden)
    var watchScale: Double?

    @Option(help: .hidden)
    var quietPeriod: Double = 5

    @Option(help: .hidden)
    var journal: String?

    // A test's file with the last protocol that a build supports.
    @Option(help: .hidden)
    var protocolFile: String?

    @Option(help: .hidden)
    var takeoverPatience: Double = 10

    @Option(help: .hidden)
    var takeoverInterval: Double = 60

    func validate() throws {
        if socketMode != nil, listen == nil {
            throw ValidationError("--socket-mode requires --listen.")
        }
        if listen?.isEmpty == true { throw ValidationError("--listen requires a path.") }
        if library?.isEmpty == true { throw ValidationError("--library requires a path.") }
        for (name, value) in [("--idle-exit", idleExit ?? 0), ("--keep-open", keepOpen)]
        where !(0...1e6).contains(value) {
            throw ValidationError("\(name) requires a number of seconds, at most 1000000.")
        }
    }

    func run() throws {
        // Another one writes where a reader has gone, and gets an error.
        signal(SIGPIPE, SIG_IGN)
        umask(0o077)
        // An arena per thread would keep what many short connections freed.
        cphotos_keep_heap_small()
        let loggers = DaemonLog.start(journal: journal)
        let executable = RunningExecutable()
        let activation = Activation(environment: ProcessInfo.processInfo.environment)
        let (listener, isPassed) = try self.listener(activation)
        let conditions = DutyConditions(
            powerSupplies: powerSupplies ?? "/sys/class/power_supply",
            pressure: ioPressure ?? "/proc/pressure/io"
        )
        let quietWatch = QuietWatch(after: .seconds(quietPeriod))
        let engines = EngineTable(
            EmbeddedLibrary.Configuration(loggers: loggers),
            conditions: conditions,
            idleTime: .seconds(keepOpen),
            noteWork: { quietWatch.noteWork() }
        )
        let standardLibrary = EmbeddedLibrary.absolute(library ?? EmbeddedLibrary.defaultPath)
        var configuration = DaemonConfiguration(
            opener: EngineSessionOpener(
                engines: engines,
                standardLibrary: standardLibrary,
                desk: .desktop
            ),
            softwareVersion: BuildVersion.current
        )
        if let executable, !attended {
            configuration.isReplaced = { executable.isReplaced }
            configuration.replacementInterval = .seconds(takeoverInterval)
            configuration.takeoverPatience = .seconds(takeoverPatience)
        }
        if let protocolFile, let text = try? String(contentsOfFile: protocolFile, encoding: .utf8),
            let last = Int(text), last >= configuration.protocols.lowerBound
        {
            configuration.protocols = configuration.protocols.lowerBound...last
        }
        if admitsOtherUsers { configuration.identifier = PeerIdentifier(audience: .everyUser) }
        let idle = idleExit ?? (isPassed ? 60 : 0)
        configuration.idleTime = idle == 0 ? nil : .seconds(idle)
        var times = WatchRunner.Configuration()
        if let watchScale {
            times.stability = times.stability * watchScale
            times.rescan = times.rescan * watchScale
            times.look = times.look * watchScale
            times.retry = times.retry * watchScale
        }
        let host = DutyHost(
            engines,
            conditions: conditions,
            standardLibrary: standardLibrary,
            times: times
        )
        let cloud = CloudService(of: EngineLibraries(engines: engines))
        let background = CloudBackground(cloud, times: CloudBackground.Times(scale: cloudScale))
        let attended = attended
        configuration.isNeeded = {
            engines.hasPendingDuties
                || !attended && (host.hasFolders || background.hasLibraries)
        }
        configuration.quietWatch = quietWatch
        configuration.cloud = CloudAnswers(service: cloud, background: background)
        configuration.completeStatus = { status in
            var status = status
            status.library = standardLibrary
            let report = DutyReport(
                engines.entries,
                watching: host.duty,
                standardLibrary: standardLibrary
            )
            status.duty = report.holder
            status.duties = report.duties
            status.watchFolders = host.hasFolders ? host.states : nil
            return status
        }
        guard let server = DaemonServer(configuration, listener: listener), engines.start(),
            attended || host.start() && background.start(),
            TerminationPipe.start({ server.stop(.shutdown) })
        else {
            throw Self.threadShortage
        }
        guard startReleasingMemory(quietWatch, of: server, engines) else {
            throw Self.threadShortage
        }
        conditions.observeCalls { [weak server] in server?.hasWaitingCalls == true }
        DaemonLog.say("Listening on \(isPassed ? "the socket of systemd" : listener.path ?? "").")
        activation.notify(.ready)
        let end = server.run()
        quietWatch.stop()
        if end == .ended { activation.notify(.stopping) }
        if !attended {
            background.stop()
            host.stop()
        }
        cloud.stop()
        engines.close()
        guard end == .takenOver, let executable else { return }
        DaemonLog.say("Replaced by another version, which takes over.")
        let reason = executable.succeed(with: listener)
        DaemonLog.say("The other version cannot be started: \(reason)")
        throw ExitCode.failure
    }

    private var admitsOtherUsers: Bool { (socketMode ?? 0) & 0o077 != 0 }

    private static func mode(_ text: String) throws -> UInt32 {
        guard let mode = UInt32(text, radix: 8), mode & 0o600 == 0o600, mode <= 0o777 else {
            throw ValidationError("--socket-mode requires an octal mode from 0600 to 0777.")
        }
        return mode
    }

    private static let threadShortage = LibraryError(
        .tooManyOpenFiles,
        "The library daemon cannot start.",
        reason: "The system has reached a limit of threads or of open files."
    )

    /// Starts the thread that releases the memory of caches whenever the daemon is idle.
    private func startReleasingMemory(
        _ quietWatch: QuietWatch,
        of server: DaemonServer,
        _ engines: EngineTable
    ) -> Bool {
        quietWatch.start { [weak server] in
            server?.releaseMemory()
            let isQuiet = engines.releaseMemory()
            cphotos_trim_heap()
            return isQuiet
        }
    }

    private func listener(
        _ activation: Activation
    ) throws(LibraryError) -> (listener: ListeningSocket, isPassed: Bool) {
        if listen == nil || activation.isSuccession, let socket = try activation.socket() {
            return (socket, socket.path == nil)
        }
        guard let path = listen ?? DaemonSocket.standardPath() else {
            throw LibraryError(
                .invalidRequest,
                "There is no folder for the socket of the library daemon.",
                reason: "XDG_RUNTIME_DIR is not set.",
                recovery: "Set it, or name a path with --listen."
            )
        }
        return (try ListeningSocket(path: path, mode: socketMode ?? 0o600), false)
    }
}
