/// A request that can be canceled while it runs.
protocol RunningRequest: Sendable {
    /// Cancels the request and reports the cancellation; it has no effect after the request has
    /// ended.
    func cancel()
}

extension ImageTask: RunningRequest {}
extension ImageDataTask: RunningRequest {}
extension MovieTask: RunningRequest {}
extension LivePhotoTask: RunningRequest {}
