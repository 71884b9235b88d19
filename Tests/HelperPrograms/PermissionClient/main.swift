import Foundation
import LibraryService
import PermissionProbes
import RemoteLibrary

// A program that makes each call of the seam over a daemon, for tests of permission.
//
//     permission-client SOCKET LIBRARY ROLE SUBJECTS   prints the outcomes by probe, as JSON

let words = CommandLine.arguments
guard words.count == 5 else { exit(64) }
var configuration = RemoteConfiguration(
    socketPath: words[1],
    softwareVersion: "test",
    library: words[2]
)
configuration.role = ClientRole(rawValue: words[3])
let subjects = try JSONDecoder().decode(
    ProbeSubjects.self,
    from: Data(contentsOf: URL(fileURLWithPath: words[4]))
)
let library = try RemoteLibrary(configuration)
let outcomes = PermissionProbe.all.map { ($0.name, $0.run(library, subjects)) }
library.close()
let data = try JSONEncoder().encode(Dictionary(uniqueKeysWithValues: outcomes))
FileHandle.standardOutput.write(data)
