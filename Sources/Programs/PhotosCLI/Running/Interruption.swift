import Dispatch
import Foundation
import Glibc
import PhotosManagement
import Synchronization

/// Stops an operation gracefully after a termination signal.
///
/// The first signal lets the current step finish; the second one ends the process immediately.
/// Acknowledged results are durable in both cases, except single photos that were exported: their
/// files are complete, but a power failure may lose them.
final class Interruption: Sendable {
    /// The control that stops the running operation.
    let control = OperationControl()
    private let received = Atomic<Int32>(0)
    /// The closure that stops a command that does not use the control; nil for other commands.
    ///
    /// With a closure, the first signal prints no message.
    private let handler: (@Sendable () -> Void)?

    /// Receives termination signals from now on, until this object is destroyed.
    ///
    /// - Parameter handler: Stops a command that runs until it is interrupted.
    init(_ handler: (@Sendable () -> Void)? = nil) {
        self.handler = handler
        TerminationSignals.receive { [weak self] number in
            guard let self else { return false }
            stop(number)
            return true
        }
    }

    /// The received signal, as an error that ends the process; nil if none was received.
    var error: Interrupted? {
        let number = received.load(ordering: .relaxed)
        return number == 0 ? nil : Interrupted(signal: number)
    }

    private func stop(_ number: Int32) {
        guard received.compareExchange(expected: 0, desired: number, ordering: .relaxed).exchanged
        else { Interrupted(signal: number).exitAtOnce() }
        control.stop()
        if let handler { return handler() }
        // A terminal that accepts no output must not delay the second signal.
        DispatchQueue.global().async {
            StandardError.shared.say(
                "photos: Finishing the current step. Interrupt again to stop immediately."
            )
        }
    }
}

/// The error of a command that was ended by a signal.
struct Interrupted: Error {
    let signal: Int32

    /// Closes the libraries and terminates the process with the received signal, so that the parent
    /// process can detect the cause.
    ///
    /// - Parameter patience: The time to wait for calls in progress.
    func exit(patience: DispatchTimeInterval = .seconds(10)) -> Never {
        OpenLibraries.close(patience: patience)
        exitAtOnce()
    }

    /// Terminates the process with the received signal, without closing the libraries.
    func exitAtOnce() -> Never {
        Glibc.signal(signal, SIG_DFL)
        kill(getpid(), signal)
        Glibc.exit(128 + signal)
    }
}
