'use strict';

const {tensor, shape, given, nested, indices, missing} = require('../lib/values');

// The axes as callers write them: none, one, several, counted from behind, in any order.
function axesOf(rng, rank) {
    if (rank === 0 || rng.chance(0.2)) return rng.pick([missing, null]);
    const signed = (axis) => (rng.chance(0.3) ? axis - rank : axis);
    if (rng.chance(0.4)) return signed(rng.int(0, rank - 1));
    const some = rng.some(rank, 0.5);
    return rng.shuffle(some.length > 0 ? some : [rng.int(0, rank - 1)]).map(signed);
}

const keep = (rng) => rng.pick([missing, true, false]);

async function reductions(record, rng) {
    const ops = {
        sum: [['float32', 'int32', 'bool'], 'eighths'],
        mean: [['float32', 'int32', 'bool'], 'eighths'],
        max: [['float32', 'int32'], 'eighths'],
        min: [['float32', 'int32'], 'eighths'],
        all: [['bool'], 'eighths'],
        any: [['bool'], 'eighths'],
        logSumExp: [['float32'], 'decimals'],
    };
    for (const [op, [dtypes, kind]] of Object.entries(ops)) {
        for (let i = 0; i < 49; ++i) {
            const rank = i % 7;
            await record.call(op, tensor(rng, shape(rng, rank), dtypes[i % dtypes.length], kind), axesOf(rng, rank), keep(rng));
        }
        const long = tensor(rng, [rng.int(2000, 9000)], dtypes[0], 'eighths');
        await record.call(op, long);
        await record.call(op, tensor(rng, [20, 100], dtypes[0], 'eighths'), 0);
        await record.call(op, tensor(rng, [100, 20], dtypes[0], 'eighths'), 1, true);
        for (const axis of [0, 1, missing]) await record.call(op, given([3, 0], dtypes[0], []), axis);
        await record.call(op, given([0, 4, 2], dtypes[0], []), 1, true);
        await record.bad(op, tensor(rng, [2, 3], dtypes[0]), 2);
        await record.bad(op, tensor(rng, [2, 3], dtypes[0]), [-3]);
        if (dtypes[0] === 'float32') {
            await record.call(op, tensor(rng, [6, 7], 'float32', 'edges'), 1);
            await record.call(op, nested(tensor(rng, [3, 3])), 0);
        } else {
            await record.bad(op, tensor(rng, [2, 3]));
        }
    }
    for (let i = 0; i < 28; ++i) {
        const rank = i % 7;
        // Few factors, near 1: float32 must be able to hold the product to six digits.
        const x = tensor(rng, shape(rng, rank, {most: 12}), i % 4 === 3 ? 'int32' : 'float32', i % 4 === 3 ? 'ties' : 'aboveOne');
        await record.call('prod', x, axesOf(rng, rank), keep(rng));
    }
    for (const axis of [0, 1, missing]) await record.call('prod', given([3, 0], 'float32', []), axis);
    await record.bad('prod', tensor(rng, [2, 3]), 2);

    for (const op of ['argMax', 'argMin']) {
        for (let i = 0; i < 49; ++i) {
            const rank = 1 + (i % 6);
            const x = tensor(rng, shape(rng, rank), ['float32', 'float32', 'int32', 'bool'][i % 4], ['ties', 'eighths'][i % 2]);
            await record.call(op, x, i % 5 === 0 ? missing : rng.int(-rank, rank - 1));
        }
        await record.call(op, tensor(rng, [5000], 'float32', 'eighths'));
        await record.call(op, tensor(rng, [3, 1500], 'float32', 'decimals'), 1);
        await record.call(op, tensor(rng, [1500, 3], 'float32', 'decimals'), 0);
        await record.bad(op, tensor(rng, [2, 3]), 2);
        await record.bad(op, tensor(rng, [2, 3]), -3);
    }
}

async function norms(record, rng) {
    for (let i = 0; i < 60; ++i) {
        const rank = 1 + (i % 4);
        const x = tensor(rng, shape(rng, rank, {most: 60}), 'float32', 'eighths');
        const vector = rng.chance(0.5) || rank === 1;
        const order = vector ? rng.pick([missing, 'euclidean', 1, 2, Infinity, -Infinity]) : rng.pick([missing, 'euclidean', 'fro', 1, Infinity, -Infinity]);
        const two = rng.shuffle(Array.from({length: rank}, (_, axis) => axis)).slice(0, 2);
        await record.call('norm', x, order, vector ? rng.int(-rank, rank - 1) : two, keep(rng));
        if (i % 4 === 0) await record.call('euclideanNorm', x, axesOf(rng, rank), keep(rng));
    }
    for (let rank = 0; rank <= 4; ++rank) await record.call('norm', tensor(rng, shape(rng, rank, {most: 40})));
    await record.bad('norm', tensor(rng, [3, 2]), 2, [0, 1]);
    await record.bad('norm', tensor(rng, [4]), 'fro');
    await record.bad('norm', tensor(rng, [3, 2]), 7, [0, 1]);
    await record.bad('norm', tensor(rng, [3, 2]), 1, [0, 3]);
    for (let i = 0; i < 35; ++i) {
        const rank = i % 7;
        await record.call('moments', tensor(rng, shape(rng, rank), i % 5 === 4 ? 'int32' : 'float32', 'eighths'), axesOf(rng, rank), keep(rng));
    }
}

async function scans(record, rng) {
    for (const op of ['cumsum', 'cumprod']) {
        for (let i = 0; i < 72; ++i) {
            const rank = 1 + (i % 6);
            const dtype = op === 'cumsum' && i % 4 === 3 ? 'int32' : 'float32';
            const x = tensor(rng, shape(rng, rank, {most: op === 'cumprod' ? 60 : 120}), dtype, op === 'cumprod' ? 'unit' : 'eighths');
            const axis = i % 9 === 0 ? missing : rng.int(-rank, rank - 1);
            const flags = [rng.pick([missing, true, false]), rng.pick([missing, true, false])];
            if (axis >= 0 || axis === missing) await record.call(op, x, axis, ...flags);
            else await record.derived('the reference does not count axes from behind here', op, [x, axis, ...flags], (call) => call(op, [x, axis + rank, ...flags]));
        }
        await record.call(op, given([0], 'float32', []));
        await record.call(op, given([2, 0, 3], 'float32', []), 2);
        await record.call(op, tensor(rng, [3000], 'float32', op === 'cumprod' ? 'unit' : 'eighths'), 0, true);
        const why = 'the reference scans along undefined when the axis does not exist';
        record.wrong(why, op, tensor(rng, [2, 3]), 2);
        record.wrong(why, op, tensor(rng, [2, 3]), -3);
    }
}

async function softmaxes(record, rng) {
    for (const op of ['softmax', 'logSoftmax']) {
        for (let i = 0; i < 24; ++i) {
            const rank = 1 + (i % 6);
            await record.call(op, tensor(rng, shape(rng, rank), 'float32', i % 2 ? 'eighths' : 'decimals'), rng.pick([missing, -1, rank - 1]));
        }
        await record.call(op, given([2, 3], 'float32', [1000, 1000, -1000, 0, 88, -88]));
        await record.call(op, tensor(rng, [4, 700], 'float32', 'eighths'));
    }
    await record.bad('softmax', tensor(rng, [2, 3], 'int32'));
}

async function counts(record, rng) {
    for (let i = 0; i < 24; ++i) {
        const size = rng.int(1, 9);
        const count = rng.int(0, 20);
        const x = indices(rng, [count], size + 2);
        await record.call('bincount', x, i % 2 ? given([0], 'float32', []) : tensor(rng, [count], i % 4 ? 'float32' : 'int32', 'whole'), size);
        const rank = 1 + (i % 2);
        const extents = rank === 1 ? [count] : [rng.int(1, 4), rng.int(1, 6)];
        const weights = i % 3 ? given(rank === 1 ? [0] : [0, 0], 'float32', []) : tensor(rng, extents, 'float32', 'whole');
        await record.call('denseBincount', indices(rng, extents, size + 2), weights, size, i % 4 === 3 ? true : rng.pick([missing, false]));
    }
    await record.call('bincount', indices(rng, [3000], 50), given([0], 'float32', []), 50);
    await record.bad('bincount', tensor(rng, [4]), given([0], 'float32', []), 3);
    await record.bad('bincount', indices(rng, [4], 3), given([0], 'float32', []), -1);
    await record.bad('bincount', indices(rng, [4], 3), tensor(rng, [3]), 3);
    await record.bad('denseBincount', indices(rng, [4], 3), tensor(rng, [3]), 3);
    await record.bad('denseBincount', tensor(rng, [4]), given([0], 'float32', []), 3);
    await record.bad('denseBincount', indices(rng, [2, 2, 2], 3), given([0], 'float32', []), 3);
}

module.exports = async (record, rng) => {
    await reductions(record, rng);
    await norms(record, rng);
    await scans(record, rng);
    await softmaxes(record, rng);
    await counts(record, rng);
};
