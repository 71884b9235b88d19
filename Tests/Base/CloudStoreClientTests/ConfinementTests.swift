import Foundation
import StoreFixture
import TestSupport
import Testing

/// The sandbox of `photos-cloud`, tried from inside.
@Suite(.timeLimit(.minutes(3))) struct ConfinementTests {
    private let folder: TemporaryFolder
    /// A folder as that of a library, which all users may read.
    private let library: String
    private let directory: String

    init() throws {
        folder = try TemporaryFolder("photos-confinement")
        library = try folder.folder("Photos Library.photolibrary").path
        directory = try folder.folder("objects").path
        for path in [folder.path, library, directory] { chmod(path, 0o777) }
    }

    private var arguments: [[String]] {
        [["--self-test", library], ["--self-test", library, directory]]
    }

    @Test func everythingElseIsDenied() throws {
        for arguments in arguments {
            let output = try ProcessRunner.run(BuiltProducts.cloud.path, arguments)
            #expect(output.status == 0, "\(output.text)")
            #expect(output.lines.contains("\(library): Permission denied"), "\(output.text)")
            #expect(output.lines.last == "denied", "\(output.text)")
        }
    }

    @Test func everythingElseIsDeniedToOtherUsers() throws {
        guard getuid() == 0, let runner = ProcessRunner.path(of: "setpriv") else {
            print("Skipped: only root can run setpriv.")
            return
        }
        // The folder of the build may be closed to other users.
        let program = folder.path + "/photos-cloud"
        try FileManager.default.copyItem(atPath: BuiltProducts.cloud.path, toPath: program)
        chmod(program, 0o755)
        for arguments in arguments {
            let output = try ProcessRunner.run(
                runner,
                ["--reuid=65534", "--regid=65534", "--clear-groups", program] + arguments
            )
            #expect(output.status == 0, "\(output.text)")
            #expect(output.lines.contains("\(library): Permission denied"), "\(output.text)")
            #expect(output.lines.last == "denied", "\(output.text)")
        }
    }

    @Test func versionIsPrinted() throws {
        let output = try ProcessRunner.run(BuiltProducts.cloud.path, ["--version"])
        #expect(output.lines == ["photos-cloud, protocol 2"])
    }
}
