// Runs before the page's other parts have come: asks for what they are going to need.
import { isOwnPage, placeIn, timelinePath } from "./address.js";
import { askEarly } from "./early.js";
import { secret } from "./keys.js";
import { loadWords } from "./text.js";

loadWords().catch(() => {});
const mine = secret();
// A link is exchanged first; until then there is nobody who could ask.
if (mine && !location.hash.startsWith("#token=")) {
    askEarly("/api/state", mine);
    const place = placeIn(location.hash);
    if (!isOwnPage(place.source) && place.source !== "hidden") askEarly(timelinePath(place), mine);
}
