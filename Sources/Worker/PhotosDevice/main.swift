// The program that reads cameras and phones for an import. Its host starts it with a socket as
// standard input. ADR 58 states why it is a separate process, and what it may do.

internal import Glibc
internal import WorkerProtocol

switch CommandLine.arguments.dropFirst().first {
case "--serve":
    exit(DeviceServer(socket: STDIN_FILENO).run())
case "--version":
    print("photos-device, protocol \(DeviceProtocolVersion.current)")
case "--self-test":
    exit(DeviceSandbox.test(home: CommandLine.arguments.dropFirst(2).first ?? "/root"))
default:
    print(
        """
        photos-device reads cameras and phones for photos import --device, and never changes them.
        It is started by that command, not by hand.

          --version         print the protocol's version
          --self-test HOME  confine this process and check that networks, other programs and all
                            writing are denied
        """
    )
}
