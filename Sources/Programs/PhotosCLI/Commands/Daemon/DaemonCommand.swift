import ArgumentParser

/// Runs the library daemon and shows its state.
struct DaemonCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "daemon",
        abstract: "Run the library daemon, or show its state.",
        discussion: """
            The daemon, photolibraryd, has libraries open for all programs of a user, so that they \
            share its caches and workers. Programs use it if it runs. $PHOTOS_DAEMON=0 makes a \
            program use its own engine, and $PHOTOS_DAEMON=1 makes it fail without the daemon; \
            the path of a socket names the daemon of another user. Both may use the same library \
            at the same time.

            EXAMPLES
              photos daemon run
              photos daemon status
              systemctl --user enable --now photolibraryd.socket
            """,
        subcommands: [DaemonRunCommand.self, DaemonStatusCommand.self]
    )

    @OptionGroup var location: LibraryOptions
}
