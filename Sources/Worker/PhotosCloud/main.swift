// The only program with a network, which reads and writes the objects of a cloud library. Its host
// starts it with a socket as standard input. ADR 81 states why it is a separate process, and what
// it may do.

internal import Glibc
internal import StoreProtocol

switch CommandLine.arguments.dropFirst().first {
case "--serve":
    CloudServer(socket: STDIN_FILENO).run()
case "--version":
    print("photos-cloud, protocol \(StoreProtocolVersion.current)")
case "--self-test":
    exit(SelfTest.run(Array(CommandLine.arguments.dropFirst(2))))
default:
    print(
        """
        photos-cloud reads and writes the encrypted objects of a cloud library, in an S3 bucket or a
        directory. It is started by the library daemon, not by hand.

          --version                     print the protocol's version
          --self-test FOLDER            confine this process as for a bucket, and check that FOLDER,
                                        other files and other programs are denied
          --self-test FOLDER DIRECTORY  the same as for a store in DIRECTORY, and check that
                                        networks are denied
        """
    )
}
