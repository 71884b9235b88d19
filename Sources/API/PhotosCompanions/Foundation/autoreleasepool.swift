/// Runs code that was written for Objective-C's runtime, which may release objects late.
///
/// Swift releases objects at once, so this only calls `body`.
///
/// - Parameter body: The closure to run.
/// - Returns: The result of `body`.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
    try body()
}
