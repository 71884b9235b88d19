/** Returns a query such as `?a=1&b=2`, without empty values. */
export function query(values) {
    const pairs = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "");
    return pairs.length ? "?" + new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])) : "";
}
