internal import Logging

extension LibraryConnection {
    /// Logs that a fetch asked for what no library has yet.
    func noteAbsence(of things: String) {
        logger.notice("The library has no \(things) yet: the result is empty.")
    }
}
