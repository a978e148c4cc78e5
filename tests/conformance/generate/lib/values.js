'use strict';

// Tensors as the case format has them ({shape, dtype, data}), filled with numbers that are short in decimal and exact in float32.

const sizeOf = (shape) => shape.reduce((a, b) => a * b, 1);

// Numbers by kind. Eighths keep sums and products exact; decimals do not.
const kinds = {
    eighths: (rng) => rng.int(-40, 40) / 8,
    positive: (rng) => rng.int(1, 64) / 8,
    decimals: (rng) => Math.fround(rng.int(-500, 500) / 100),
    unit: (rng) => Math.fround(rng.int(-99, 99) / 100),
    probability: (rng) => Math.fround(rng.int(1, 99) / 100),
    aboveOne: (rng) => 1 + rng.int(0, 80) / 16,
    whole: (rng) => rng.int(-9, 9),
    large: (rng) => rng.int(-100000, 100000),
    halves: (rng) => rng.int(-9, 9) / 2,
    edges: (rng) => (rng.chance(0.4) ? rng.pick([NaN, Infinity, -Infinity, 0, -0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5]) : rng.int(-40, 40) / 8),
    // Few different ones, so that there are ties.
    ties: (rng) => rng.int(0, 3),
    distinct: (rng, i) => i + rng.int(0, 7) / 8,
};

function tensor(rng, shape, dtype = 'float32', kind = 'eighths') {
    const data = Array.from({length: sizeOf(shape)}, (_, i) => {
        if (dtype === 'bool') return rng.chance(0.5) ? 1 : 0;
        const value = kinds[kind](rng, i);
        return dtype === 'int32' ? (Number.isFinite(value) ? Math.trunc(value * (kind === 'eighths' || kind === 'positive' ? 2 : 1)) : 0) : value;
    });
    return {shape, dtype, data};
}

const given = (shape, dtype, data) => ({shape, dtype, data});

// Indices 0…below-1.
function indices(rng, shape, below) {
    return given(shape, 'int32', Array.from({length: sizeOf(shape)}, () => rng.int(0, below - 1)));
}

function complex(rng, shape) {
    return given(shape, 'complex64', Array.from({length: 2 * sizeOf(shape)}, () => rng.int(-32, 32) / 8));
}

// A shape of the rank with at most `most` elements; now and then with an axis of 1, and, if asked for, of 0.
function shape(rng, rank, {most = 120, zero = 0, least = 1} = {}) {
    const top = rank <= 1 ? most : Math.max(least, Math.floor(Math.pow(most, 1 / rank) * 1.5));
    for (;;) {
        const result = Array.from({length: rank}, () => (rng.chance(zero) ? 0 : rng.chance(0.15) && least <= 1 ? 1 : rng.int(least, Math.max(least, top))));
        if (sizeOf(result) <= most) return result;
    }
}

// Two shapes that broadcast: axes are set to 1 on either side, and leading ones dropped.
function broadcastPair(rng, rank, options) {
    const full = shape(rng, rank, options);
    const side = () => {
        const part = full.map((extent) => (rng.chance(0.3) ? 1 : extent));
        return part.slice(rng.chance(0.4) ? rng.int(0, rank) : 0);
    };
    if (rng.chance(0.3)) return [full, full];
    if (rng.chance(0.3)) return [full, side()];
    if (rng.chance(0.4)) return [side(), full];
    return [side(), side()];
}

// Lists nested as the shape says.
function nested({shape: extents, data}) {
    if (extents.length === 0) return data[0];
    const step = data.length / (extents[0] || 1);
    return Array.from({length: extents[0]}, (_, i) => nested({shape: extents.slice(1), data: data.slice(i * step, (i + 1) * step)}));
}

// The axes in another order.
function permute({shape: extents, dtype, data}, order) {
    const strides = extents.map((_, axis) => sizeOf(extents.slice(axis + 1)));
    const target = order.map((axis) => extents[axis]);
    const result = Array.from({length: data.length}, (_, flat) => {
        let from = 0;
        for (let axis = order.length - 1; axis >= 0; --axis) {
            from += (flat % target[axis]) * strides[order[axis]];
            flat = Math.floor(flat / target[axis]);
        }
        return data[from];
    });
    return {shape: target, dtype, data: result};
}

module.exports = {permute, sizeOf, tensor, given, indices, complex, shape, broadcastPair, nested, missing: {undefined: true}};
