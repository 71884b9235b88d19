internal import Media
internal import PhotoModel
internal import WorkerProtocol

/// The handler for requests to read and convert movies.
struct MovieWork {
    let limits: WorkerLimits

    /// Returns a reply with a movie's metadata.
    func facts(of descriptor: Int32) -> WorkerReply {
        do throws(FailureReply) {
            return .movieFacts(try read(descriptor).facts)
        } catch {
            return error.reply
        }
    }

    /// Converts a movie.
    ///
    /// - Parameters:
    ///   - input: The movie.
    ///   - output: An empty file, open for reading and writing.
    ///   - conversion: The parameters of the conversion.
    ///   - processors: The number of processors.
    ///   - progress: Receives the progress and returns whether to stop.
    ///   - draw: Receives each frame in order if the conversion has `isShown`.
    /// - Returns: The reply to the host.
    func convert(
        _ input: Int32,
        to output: Int32,
        _ conversion: MovieConversion,
        processors: Int,
        progress: @escaping MovieConverter.Progress,
        draw: @escaping (MovieConverter.Frame) -> MovieConverter.Drawing
    ) -> WorkerReply {
        do throws(FailureReply) {
            let movie = try read(input)
            let converter = MovieConverter(
                conversion: conversion,
                maximumPixels: limits.maximumPixels,
                processors: processors
            )
            do throws(MovieFailure) {
                return .converted(
                    try converter.convert(
                        input,
                        to: output,
                        format: movie.format,
                        facts: movie.facts,
                        progress: progress,
                        draw: draw
                    )
                )
            } catch {
                throw FailureReply(error, "The movie cannot be converted")
            }
        } catch {
            return error.reply
        }
    }

    private struct Movie {
        var format: MediaFormat
        var facts: MovieFacts
    }

    private func read(_ descriptor: Int32) throws(FailureReply) -> Movie {
        let (format, type) = try kind(of: descriptor)
        do throws(MovieFailure) {
            let facts = try MovieFactsReader.read(descriptor, format: format, type: type)
            return Movie(format: format, facts: facts)
        } catch {
            throw FailureReply(error, "The movie cannot be read")
        }
    }

    /// Detects the movie's format and uniform type identifier from its content.
    ///
    /// The file is mapped only during this call, because the address space is limited and is needed
    /// for images.
    private func kind(of descriptor: Int32) throws(FailureReply) -> (MediaFormat, String) {
        guard let file = MappedFile.map(descriptor) else {
            throw FailureReply(.failed(reason: "It is not a regular file, or it cannot be read."))
        }
        switch Sniffer.kind(of: file.bytes) {
        case .medium(let format, let type) where format.isMovie: return (format, type)
        case .medium: throw FailureReply(.unsupported(reason: "It is an image, not a movie."))
        case .unsupported(let reason):
            // A library does not hold audio files, but such a movie can be converted to one.
            guard Sniffer.isSound(file.bytes) else {
                throw FailureReply(.unsupported(reason: reason))
            }
            return (.m4v, "com.apple.m4a-audio")
        }
    }

    /// A reply that reports a failure.
    private struct FailureReply: Error {
        var reply: WorkerReply

        init(_ reply: WorkerReply) { self.reply = reply }

        init(_ failure: MovieFailure, _ sentence: String) {
            reply =
                switch failure {
                case .cancelled: .cancelled
                case .source(let clause): .failed(reason: "\(sentence): \(clause).")
                case .output(let clause):
                    .unwritable(reason: "The converted movie cannot be written: \(clause).")
                }
        }
    }
}
