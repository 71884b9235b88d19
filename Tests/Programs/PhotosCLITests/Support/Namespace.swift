import Foundation
import TestSupport

/// The file system operations that this system permits to tests.
enum Namespace {
    /// Whether unprivileged users can create namespaces and mount in them.
    static let canMount: Bool = {
        let arguments = ["-rm", "/bin/sh", "-c", "mount -t tmpfs -o size=1m none /tmp"]
        return (try? ProcessRunner.run("unshare", arguments))?.status == 0
    }()

    /// Whether files can be made immutable in the tests' folder.
    static let canBeImmutable: Bool = {
        guard let folder = try? TemporaryFolder("photos-immutable"),
            let file = try? folder.write(Data([1]), to: "file"),
            (try? ProcessRunner.run("chattr", ["+i", file.path]))?.status == 0
        else { return false }
        return (try? ProcessRunner.run("chattr", ["-i", file.path]))?.status == 0
    }()
}
