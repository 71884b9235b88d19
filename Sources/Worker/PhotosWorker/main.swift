// The program that reads untrusted files for a library in a kernel sandbox. Its host starts it with
// a socket as standard input. SECURITY.md states its permissions, ADR 4 why it is a separate
// process.

internal import Glibc
internal import WorkerProtocol

switch CommandLine.arguments.dropFirst().first {
case "--serve":
    exit(Server(socket: STDIN_FILENO).run())
case "--library":
    exit(Server(socket: STDIN_FILENO, readsLibraries: true).run())
case "--fork-server":
    exit(ForkServer(socket: STDIN_FILENO).run())
case "--version":
    print("photos-worker, protocol \(WorkerProtocolVersion.current)")
case "--self-test":
    exit(SelfTest.run(converts: CommandLine.arguments.contains("--converting")))
default:
    print(
        """
        photos-worker reads photos and movies for the Photos library, confined by the kernel. It is
        started by programs that use the library, not by hand.

          --version    print the protocol's version
          --self-test  confine this process and check that files, network and programs are denied;
                       with --converting, as one that converts movies
        """
    )
}
