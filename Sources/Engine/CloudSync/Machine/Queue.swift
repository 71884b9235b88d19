/// A queue that removes its first value in constant time on average.
///
///     removed ◀── front, in reverse order │ back ◀── appended
///
/// When `front` is empty, `back` is reversed and takes its place. So a value is moved once, whereas
/// an array moves it with each removal of a value before it. A removed value uses no memory.
package struct Queue<Element> {
    /// The first values, in reverse order.
    private var front: [Element] = []
    /// The values that follow those of `front`.
    private var back: [Element]

    package init(_ values: [Element] = []) { back = values }

    /// Adds a value at the end.
    package mutating func append(_ value: Element) { back.append(value) }

    /// Adds a value at the front.
    package mutating func prepend(_ value: Element) { front.append(value) }

    /// Removes and returns the first value; returns nil if the queue is empty.
    package mutating func popFirst() -> Element? {
        if front.isEmpty { turn() }
        return front.popLast()
    }

    /// Removes the first `count` values, or all if there are fewer.
    package mutating func removeFirst(_ count: Int) {
        guard count < endIndex else {
            (front, back) = ([], [])
            return
        }
        let rest = count - front.count
        guard rest > 0 else {
            front.removeLast(count)
            return
        }
        turn()
        front.removeLast(rest)
    }

    /// Replaces the value at a position by any number of values.
    package mutating func replace(at position: Int, with values: [Element]) {
        if position < front.count {
            let place = front.count - 1 - position
            front.replaceSubrange(place...place, with: values.reversed())
        } else {
            let place = position - front.count
            back.replaceSubrange(place...place, with: values)
        }
    }

    /// Moves the values of `back` to `front`, and drops the previous values of `front`.
    private mutating func turn() {
        front = back
        back = []
        front.reverse()
    }
}

extension Queue: Sendable where Element: Sendable {}

extension Queue: RandomAccessCollection, MutableCollection {
    package var startIndex: Int { 0 }

    package var endIndex: Int { front.count + back.count }

    package subscript(position: Int) -> Element {
        get {
            position < front.count
                ? front[front.count - 1 - position] : back[position - front.count]
        }
        set {
            if position < front.count {
                front[front.count - 1 - position] = newValue
            } else {
                back[position - front.count] = newValue
            }
        }
    }
}
