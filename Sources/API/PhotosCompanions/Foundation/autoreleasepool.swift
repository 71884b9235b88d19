/// Runs code that was written for Objective-C's runtime, which lets go of objects late.
///
/// Swift lets go of them at once, so this only calls `body`.
///
/// - Parameter body: What to run.
/// - Returns: What `body` returns.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
    try body()
}
