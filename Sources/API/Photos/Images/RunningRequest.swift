/// A request that can be cancelled while it runs.
protocol RunningRequest: Sendable {
    /// Ends it with the word that it was cancelled; harmless when it has ended.
    func cancel()
}

extension ImageTask: RunningRequest {}
extension ImageDataTask: RunningRequest {}
extension MovieTask: RunningRequest {}
extension LivePhotoTask: RunningRequest {}
