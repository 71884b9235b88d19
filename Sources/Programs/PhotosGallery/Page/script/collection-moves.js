// Moves of albums and folders by keys. A key that is pressed before the former move is displayed
// continues from its target; a key that is held down waits for it.
export class CollectionMoves {
    constructor() {
        this.last = null;
    }

    /** Moves a collection by a number of positions from `index`, which is where it is displayed. */
    step({ id, index, count, by, isRepeated }, move) {
        const { last } = this;
        const isSame = last?.id === id;
        if (last && !last.isAnswered && (isRepeated || !isSame)) return;
        const to = (isSame ? last.to : index) + by;
        if (to < 0 || to >= count) return;
        const own = this.last = { id, to, isAnswered: false, isAsked: false };
        move(to).then((answer) => {
            own.isAnswered = true;
            if (!answer && this.last === own) this.last = null;
        });
    }

    /** Notes that the collections are requested. */
    asked() {
        if (this.last?.isAnswered) this.last.isAsked = true;
    }

    /** Notes that the collections arrived. If they were requested after the last move, they contain it. */
    arrived() {
        if (this.last?.isAsked) this.last = null;
    }
}
