import Dispatch
import Foundation
import Glibc
import PhotosManagement
import Synchronization

/// Turns the signals that ask a program to end into an orderly stop.
///
/// The first one lets the step at hand finish; the second one ends the process at once. Nothing that
/// was acknowledged depends on either.
final class Interruption: Sendable {
    /// Stops what is running.
    let control = OperationControl()
    private let received = Atomic<Int32>(0)
    /// Stops what waits for something else than the control; the command says nothing then.
    private let handler: (@Sendable () -> Void)?
    // Never touched after the initializer; only kept alive.
    nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

    /// Catches the signals from here on.
    ///
    /// - Parameter handler: Ends a command that goes on until it is interrupted.
    init(_ handler: (@Sendable () -> Void)? = nil) {
        self.handler = handler
        let numbers = TerminationSignals.numbers
        sources = numbers.map { number in
            signal(number, SIG_IGN)
            return DispatchSource.makeSignalSource(
                signal: number,
                queue: .global(qos: .userInteractive)
            )
        }
        for (number, source) in zip(numbers, sources) {
            source.setEventHandler { [weak self] in self?.stop(number) }
            source.resume()
        }
    }

    /// The signal that came, as an error that ends the process.
    var error: Interrupted? {
        let number = received.load(ordering: .relaxed)
        return number == 0 ? nil : Interrupted(signal: number)
    }

    private func stop(_ number: Int32) {
        guard received.compareExchange(expected: 0, desired: number, ordering: .relaxed).exchanged
        else { Interrupted(signal: number).exitAtOnce() }
        control.stop()
        if let handler { return handler() }
        StandardError.shared.say("photos: finishing what was begun; once more to stop at once")
    }
}

/// The end of a command by a signal.
struct Interrupted: Error {
    let signal: Int32

    /// Closes the libraries and ends the process by that very signal, so that its parent learns of it.
    ///
    /// - Parameter patience: How long to wait for calls that are under way.
    func exit(patience: DispatchTimeInterval = .seconds(10)) -> Never {
        OpenLibraries.close(patience: patience)
        exitAtOnce()
    }

    /// Ends the process by that very signal and waits for nothing.
    func exitAtOnce() -> Never {
        Glibc.signal(signal, SIG_DFL)
        kill(getpid(), signal)
        Glibc.exit(128 + signal)
    }
}
