package import CloudSync

extension SimulatedWorld {
    /// A step of a computer's machine, with the machine before and after it.
    package struct Step {
        package var computer: Int
        package var before: SyncMachine
        package var input: SyncInput
        package var environment: SyncEnvironment
        package var outputs: [SyncOutput]
        package var after: SyncMachine
    }
}
