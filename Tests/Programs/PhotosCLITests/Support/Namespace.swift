import Foundation
import TestSupport

/// What this system lets tests do to file systems.
enum Namespace {
    /// Whether there are namespaces of one's own, in which anybody may mount.
    static let canMount: Bool = {
        let arguments = ["-rm", "/bin/sh", "-c", "mount -t tmpfs -o size=1m none /tmp"]
        return (try? ProcessRunner.run("unshare", arguments))?.status == 0
    }()

    /// Whether files can be made immutable where tests write.
    static let canBeImmutable: Bool = {
        guard let folder = try? TemporaryFolder("photos-immutable"),
            let file = try? folder.write(Data([1]), to: "file"),
            (try? ProcessRunner.run("chattr", ["+i", file.path]))?.status == 0
        else { return false }
        return (try? ProcessRunner.run("chattr", ["-i", file.path]))?.status == 0
    }()
}
