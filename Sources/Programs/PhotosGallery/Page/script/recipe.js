// The open format of adjustments: an object without members that have neutral values.
export const sliders = {
    light: [
        { key: "exposure", low: -3, high: 3, step: 0.05 },
        { key: "brightness", low: -1, high: 1, step: 0.02 },
        { key: "contrast", low: -1, high: 1, step: 0.02 },
        { key: "highlights", low: -1, high: 1, step: 0.02 },
        { key: "shadows", low: -1, high: 1, step: 0.02 },
    ],
    color: [
        { key: "saturation", low: -1, high: 1, step: 0.02 },
        { key: "vibrance", low: -1, high: 1, step: 0.02 },
        { key: "temperature", low: -1, high: 1, step: 0.02 },
        { key: "tint", low: -1, high: 1, step: 0.02 },
    ],
    detail: [
        { key: "sharpness", low: 0, high: 1, step: 0.02 },
        { key: "vignette", low: -1, high: 1, step: 0.02 },
    ],
};

const whole = (crop) => crop.x < 0.0005 && crop.y < 0.0005 && crop.width > 0.999 && crop.height > 0.999;

/** The recipe without neutral values, with its members in a fixed order. */
export function neat(recipe) {
    const kept = {};
    for (const key of Object.keys(recipe).sort()) {
        const value = recipe[key];
        if (value === null || value === undefined || value === 0 || value === false) continue;
        if (key === "crop") {
            if (whole(value)) continue;
            const round = (part) => Math.round(part * 1e5) / 1e5;
            const x = round(Math.max(0, value.x));
            const y = round(Math.max(0, value.y));
            kept.crop = { x, y, width: Math.min(round(value.width), round(1 - x)), height: Math.min(round(value.height), round(1 - y)) };
        } else kept[key] = value;
    }
    return kept;
}

export const isSame = (a, b) => JSON.stringify(neat(a)) === JSON.stringify(neat(b));

/** The recipe rotated clockwise by a quarter turn, with its crop. */
export function turned(recipe) {
    const { crop } = recipe;
    return {
        ...recipe,
        quarterTurns: ((recipe.quarterTurns ?? 0) + 1) % 4,
        crop: crop && { x: 1 - crop.y - crop.height, y: crop.x, width: crop.height, height: crop.width },
    };
}

/**
 * The recipe mirrored horizontally as displayed. The format mirrors before it rotates, so rotations
 * are reversed.
 */
export function mirrored(recipe) {
    const { crop } = recipe;
    return {
        ...recipe,
        isFlipped: !recipe.isFlipped,
        quarterTurns: (4 - (recipe.quarterTurns ?? 0)) % 4,
        straighten: -(recipe.straighten ?? 0),
        crop: crop && { ...crop, x: 1 - crop.x - crop.width },
    };
}
