/// Runs a closure and returns its result, for source compatibility with platforms that have
/// Objective-C autorelease pools.
///
/// On those platforms, it also releases objects whose release was deferred. Without Objective-C,
/// Swift never defers a release, so this function only calls `body`.
///
/// - Parameter body: The closure to run.
/// - Returns: The result of `body`.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
    try body()
}
