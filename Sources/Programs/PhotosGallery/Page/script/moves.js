// Moves by keys: of photos within an album, and of albums and folders. A key that is pressed before
// the former move is displayed continues from its target; a key that is held down waits for it.
export class Moves {
    constructor() {
        this.last = null;
    }

    /**
     * Moves something by a number of positions.
     *
     * @param id identifies what is moved; undefined if it is not known
     * @param index its position as it is displayed
     * @param most the highest position to which it can be moved
     * @param isSpread whether a move to the same position changes something
     * @param isRepeated whether the key is held down
     * @param move moves it to a position; returns a promise, of nothing if that failed
     * @param isDisplayed whether it is displayed at a position by now
     */
    step({ id, index, most, by, isSpread = false, isRepeated, isDisplayed = () => false }, move) {
        const { last } = this;
        const former = id !== undefined && last?.id === id ? last : null;
        if (last && !last.isAnswered && (isRepeated || !former)) return;
        const from = former ? former.to : index;
        const to = Math.max(0, Math.min(most, from + by));
        if (to === from && (former || !isSpread)) return;
        const own = this.last = { id, to, isAnswered: false, isAsked: false };
        move(to).then((answer) => {
            own.isAnswered = true;
            if (this.last === own && (!answer || isDisplayed(to))) this.last = null;
        });
    }

    /** Notes that a new state is requested. */
    asked() {
        if (this.last?.isAnswered) this.last.isAsked = true;
    }

    /** Notes that the requested state arrived. If it was requested after the last move, it contains it. */
    arrived() {
        if (this.last?.isAsked) this.last = null;
    }

    /** Discards the last move, since the displayed positions are new. */
    forget() {
        this.last = null;
    }
}
