import Foundation
import ProgramAccess
import TestSupport

/// Choices in a folder of their own, and a program that they concern.
struct AccessFixture {
    let folder: TemporaryFolder
    let store: AccessStore
    let program: ClientProgram

    init() throws {
        folder = try TemporaryFolder("photos-access")
        store = AccessStore(
            folder: folder.file("access").path,
            restrictionsFile: folder.file("restricted").path
        )
        program = ClientProgram(ProgramIdentity(identifier: "org.example.A"), store: store)
    }
}

/// A user who always gives the same answer.
struct FixedPerson: PersonAsker {
    var says: PermissionAnswer?
    var picks: Set<String>?
    func answer(to question: PermissionQuestion) -> PermissionAnswer? { says }
    func selection(for question: SelectionQuestion) -> Set<String>? { picks }
}
