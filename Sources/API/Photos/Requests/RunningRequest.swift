/// A request that can be canceled while it runs.
protocol RunningRequest: Sendable {
    /// Cancels the request and reports the cancellation, unless the request has already ended.
    func cancel()
}

extension ImageTask: RunningRequest {}
extension ImageDataTask: RunningRequest {}
extension MovieTask: RunningRequest {}
extension LivePhotoTask: RunningRequest {}
