// The sign-in page: signs in by a link or password, and explains how to get a link.
import { get, postForm } from "./api.js";
import { exchange } from "./entering.js";
import { forget, keep, secret } from "./keys.js";
import { loadWords, t } from "./text.js";

const words = {
    "door-title": "door.title", "door-text": "door.text", "door-again": "door.again", "door-login": "door.login",
    "door-password": "password", "door-open": "door.open",
};
const problem = document.getElementById("problem");
const form = document.querySelector("form");

function say(text) {
    problem.textContent = text;
    problem.hidden = false;
}

// Redirects through another path, so that the browser requests the page again, from this page.
function enter() {
    if (location.pathname === "/") location.replace("/door" + location.hash);
    else location.replace("/" + location.hash);
}

async function begin() {
    await loadWords();
    for (const [id, key] of Object.entries(words)) {
        const node = document.getElementById(id);
        if (node) node.textContent = t(key);
    }
    let isKept;
    try {
        isKept = await exchange();
    } catch (error) {
        say(error.code === "unreachable" ? t("error.unreachable") : t("door.used"));
    }
    if (isKept === false) {
        say(t("door.forgetful"));
        return;
    }
    if (!secret()) return;
    try {
        await get("/api/state");
        enter();
    } catch (error) {
        if (error.status === 401) forget();
    }
}

form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    problem.hidden = true;
    try {
        if (keep(await postForm("/login", new FormData(form)))) enter();
        else say(t("door.forgetful"));
    } catch (error) {
        say(error.code === "unreachable" ? t("error.unreachable") : error.code === "wrongPassword" ? t("door.wrong") : error.message);
    }
});
// Until here, the browser would have sent the form itself, and shown the server's answer to this script.
if (form) document.getElementById("door-open").disabled = false;
// Opening a link while this page is displayed changes only the fragment.
addEventListener("hashchange", () => location.reload());
begin();
