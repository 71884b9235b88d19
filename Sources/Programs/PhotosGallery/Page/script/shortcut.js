// The keys of shortcuts, in any keyboard layout.

/**
 * The key of an event for a table of shortcuts. A letter is in lower case, with Shift or Caps Lock
 * too. In a layout without Latin letters, it is the one at the key's place in a Latin layout. What
 * Latin layouts write with AltGr or Option is no shortcut.
 */
export function shortcutKey(event) {
    const { key, code } = event;
    if (/^[a-z]$/i.test(key)) return key.toLowerCase();
    const isThirdLevel = event.altKey || event.getModifierState("AltGraph");
    const isForeign = !isThirdLevel && /^\p{L}$/u.test(key);
    return isForeign && /^Key[A-Z]$/.test(code) ? code.at(-1).toLowerCase() : key;
}
