import Foundation
import Glibc
import LibraryService
import PermissionProbes
import PhotoModel
import RemoteLibrary

// A program that uses the seam over a daemon, for tests of permission and of its end.
//
//     permission-client SOCKET LIBRARY ROLE SUBJECTS     prints a report of all probes, as JSON
//     permission-client attack SOCKET LIBRARY UUID      attempts to change the library by files
//     permission-client stage SOCKET LIBRARY FILE COUNT  stages a file so often, prints “staged”,
//                                                        and waits until it is killed

func connect(_ socket: String, _ path: String, _ role: ClientRole) throws -> RemoteLibrary {
    var configuration = RemoteConfiguration(
        socketPath: socket,
        softwareVersion: "test",
        library: path
    )
    configuration.role = role
    return try RemoteLibrary(configuration)
}

func stage(_ path: String, _ count: Int, in library: RemoteLibrary) throws {
    for _ in 0..<count {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { exit(66) }
        let file = Descriptor(owning: number)
        _ = try library.stage(StageRequest(type: .photo), file: file)
    }
    FileHandle.standardOutput.write(Data("staged\n".utf8))
    while true { pause() }
}

let words = CommandLine.arguments
switch words.count {
case 6 where words[1] == "stage":
    let library = try connect(words[2], words[3], .owner)
    try stage(words[4], Int(words[5]) ?? 1, in: library)
case 5 where words[1] == "attack":
    let library = try connect(words[2], words[3], .program)
    try Attack(library: library, path: words[3], asset: words[4]).run()
case 5:
    let subjects = try JSONDecoder().decode(
        ProbeSubjects.self,
        from: Data(contentsOf: URL(fileURLWithPath: words[4]))
    )
    let library = try connect(words[1], words[2], ClientRole(rawValue: words[3]))
    let report = ProbeReport(of: library, path: words[2], subjects)
    FileHandle.standardOutput.write(try JSONEncoder().encode(report))
default: exit(64)
}
