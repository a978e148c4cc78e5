'use strict';

const {tensor, shape, given, nested, indices, sizeOf, missing} = require('../lib/values');

const dtypes = ['float32', 'int32', 'bool'];

async function gathers(record, rng) {
    for (let i = 0; i < 60; ++i) {
        const rank = 1 + (i % 5);
        const x = tensor(rng, shape(rng, rank, {most: 80}), dtypes[i % 3], 'whole');
        const batch = i % 3 === 2 ? rng.int(0, rank - 1) : 0;
        const axis = rng.int(batch, rank - 1);
        const picks = [...x.shape.slice(0, batch), ...shape(rng, rng.int(batch > 0 ? 1 : 0, 2), {most: 6, zero: i % 13 === 12 ? 0.5 : 0})];
        const at = indices(rng, picks, x.shape[axis]);
        await record.call('gather', x, at, i % 7 === 6 && batch === 0 ? axis - rank : axis === 0 && i % 4 === 0 ? missing : axis, batch > 0 ? batch : missing);
    }
    await record.call('gather', tensor(rng, [500, 3]), indices(rng, [400], 500));
    await record.bad('gather', tensor(rng, [3, 2]), indices(rng, [2], 2), 2);
    await record.bad('gather', tensor(rng, [3, 2]), tensor(rng, [2], 'float32', 'ties'));
    await record.bad('gather', tensor(rng, [2, 3]), indices(rng, [4, 1], 2), 1, 1);

    for (let i = 0; i < 40; ++i) {
        const rank = 1 + (i % 5);
        const x = tensor(rng, shape(rng, rank, {most: 80}), dtypes[i % 3], 'whole');
        const depth = rng.int(1, rank);
        const outer = shape(rng, rng.int(1, 2), {most: 6});
        const rows = Array.from({length: sizeOf(outer)}, () => x.shape.slice(0, depth).map((extent) => rng.int(0, extent - 1)));
        await record.call('gatherND', x, given([...outer, depth], 'int32', rows.flat()));
    }
    await record.bad('gatherND', tensor(rng, [3]), given([2, 2], 'int32', [0, 0, 1, 1]));
    await record.bad('gatherND', tensor(rng, [3]), given([], 'int32', [0]));
}

async function scatters(record, rng) {
    for (let i = 0; i < 40; ++i) {
        const rank = 1 + (i % 4);
        const extents = shape(rng, rank, {most: 60});
        const depth = rng.int(1, rank);
        const count = rng.int(0, 6);
        const rows = Array.from({length: count}, () => extents.slice(0, depth).map((extent) => rng.int(0, extent - 1)));
        const dtype = i % 3 === 2 ? 'int32' : 'float32';
        const at = given([count, depth], 'int32', rows.flat());
        const updates = tensor(rng, [count, ...extents.slice(depth)], dtype, 'eighths');
        await record.call('scatterND', at, updates, extents);
        // No index twice: which of two updates stays is nobody's business.
        const different = [...new Set(rows.map(String))].map((text) => text.split(',').map(Number));
        const once = given([different.length, depth], 'int32', different.flat());
        await record.call('tensorScatterUpdate', tensor(rng, extents, dtype, 'eighths'), once, tensor(rng, [different.length, ...extents.slice(depth)], dtype, 'eighths'));
    }
    await record.call('scatterND', indices(rng, [300, 1], 20), tensor(rng, [300]), [20]);
    await record.bad('scatterND', given([2, 1], 'int32', [0, 1]), tensor(rng, [3]), [4]);
    await record.bad('scatterND', given([2, 1], 'int32', [0, 1]), tensor(rng, [2, 3]), [4]);
    await record.bad('scatterND', tensor(rng, [2, 1]), tensor(rng, [2]), [4]);
    await record.bad('tensorScatterUpdate', tensor(rng, [4]), given([2, 1], 'int32', [0, 1]), tensor(rng, [3]));
    await record.bad('tensorScatterUpdate', tensor(rng, [4]), given([2, 1], 'int32', [0, 1]), tensor(rng, [2], 'int32'));

    for (let i = 0; i < 30; ++i) {
        const rank = 1 + (i % 4);
        const x = tensor(rng, shape(rng, rank, {most: 60}), i % 3 === 2 ? 'int32' : 'float32');
        const segments = rng.int(1, 6);
        const args = [x, given([x.shape[0]], 'int32', Array.from({length: x.shape[0]}, () => rng.int(i % 4 === 3 ? -1 : 0, segments - 1))), segments];
        await record.derived('the reference gives float32 for int32', 'unsortedSegmentSum', args, async (call) => ({...(await call('unsortedSegmentSum', args)), dtype: x.dtype}));
    }
    await record.bad('unsortedSegmentSum', tensor(rng, [4]), tensor(rng, [4]), 3);

    for (let i = 0; i < 30; ++i) {
        const rank = 1 + (i % 3);
        const extents = shape(rng, rank, {most: 40});
        const all = Array.from({length: sizeOf(extents)}, (_, flat) => flat);
        const picked = rng.shuffle(all).slice(0, rng.int(1, Math.min(5, all.length))).sort((a, b) => a - b);
        const rows = picked.map((flat) => extents.map((extent, axis) => Math.floor(flat / sizeOf(extents.slice(axis + 1))) % extent));
        const dtype = i % 3 === 2 ? 'int32' : 'float32';
        const values = i % 5 === 4 ? tensor(rng, [], dtype, 'whole') : tensor(rng, [picked.length], dtype, 'whole');
        const rest = i % 2 ? [tensor(rng, [], dtype, 'whole')] : [];
        if (dtype === 'float32' || rest.length > 0) await record.call('sparseToDense', given(rank === 1 && i % 2 ? [picked.length] : [picked.length, rank], 'int32', rows.flat()), values, extents, ...rest);
    }
    await record.bad('sparseToDense', given([2, 1], 'int32', [0, 1]), tensor(rng, [3]), [4], tensor(rng, []));
    await record.bad('sparseToDense', given([2, 1], 'int32', [0, 1]), tensor(rng, [2, 1]), [4], tensor(rng, []));
    await record.bad('sparseToDense', tensor(rng, [2, 1]), tensor(rng, [2]), [4], tensor(rng, []));
}

async function searches(record, rng) {
    for (let i = 0; i < 40; ++i) {
        const rank = 1 + (i % 4);
        const x = tensor(rng, shape(rng, rank, {most: 100}), i % 3 === 2 ? 'int32' : 'float32', i % 2 ? 'ties' : 'eighths');
        const last = x.shape[rank - 1];
        await record.call('topk', x, i % 6 === 0 ? missing : rng.int(i % 9 === 8 ? 0 : 1, last), rng.pick([missing, true]));
    }
    for (const length of [1000, 4097]) for (const k of [1, 7, 100]) await record.call('topk', tensor(rng, [length], 'float32', 'decimals'), k);
    await record.call('topk', tensor(rng, [3, 300], 'int32', 'large'), 300);
    await record.call('topk', given([4], 'float32', [-Infinity, Infinity, 0, -Infinity]), 4);
    await record.bad('topk', tensor(rng, [3]), 4);
    await record.bad('topk', tensor(rng, [3]), -1);
    await record.bad('topk', tensor(rng, []), 1);

    for (let i = 0; i < 40; ++i) {
        const rank = 1 + (i % 4);
        const x = tensor(rng, shape(rng, rank, {most: 40}), dtypes[i % 3], 'ties');
        await record.call('unique', x, rank === 1 && i % 2 ? missing : rng.int(0, rank - 1));
    }
    await record.call('unique', tensor(rng, [800], 'int32', 'whole'));

    for (let i = 0; i < 30; ++i) {
        const rows = i % 3 ? [rng.int(1, 3)] : [];
        const dtype = i % 4 === 3 ? 'int32' : 'float32';
        const sorted = tensor(rng, [...rows, rng.int(1, 12)], dtype, i % 2 ? 'ties' : 'eighths');
        const length = sorted.shape[sorted.shape.length - 1];
        for (let row = 0; row < sorted.data.length; row += length) sorted.data.splice(row, length, ...sorted.data.slice(row, row + length).sort((a, b) => a - b));
        const values = tensor(rng, [...rows, rng.int(1, 8)], dtype, i % 2 ? 'ties' : 'eighths');
        await record.call('searchSorted', sorted, values, rng.pick([missing, 'left', 'right']));
        await record.call('lowerBound', sorted, values);
        await record.call('upperBound', sorted, values);
    }
    await record.bad('searchSorted', tensor(rng, [2, 3], 'float32', 'distinct'), tensor(rng, [3, 3]), 'left');

    for (let i = 0; i < 16; ++i) {
        const lead = shape(rng, 1 + (i % 3), {most: 8});
        const classes = rng.int(2, 7);
        const predictions = tensor(rng, [...lead, classes], 'float32', 'eighths');
        await record.call('inTopKAsync', predictions, indicesAsFloat(rng, lead, classes), i % 4 === 0 ? missing : rng.int(1, classes));
    }
    await record.bad('inTopKAsync', tensor(rng, [2, 3]), tensor(rng, [3], 'float32', 'ties'));
    await record.bad('inTopKAsync', tensor(rng, [2, 3]), given([2], 'float32', [0, 1]), 4);
}

const indicesAsFloat = (rng, extents, below) => ({...indices(rng, extents, below), dtype: 'float32'});

async function byValue(record, rng) {
    for (let i = 0; i < 24; ++i) {
        const rank = 1 + (i % 5);
        await record.call('whereAsync', tensor(rng, shape(rng, rank, {most: 60, zero: i === 23 ? 0.5 : 0}), 'bool'));
        const x = tensor(rng, shape(rng, rank, {most: 60}), dtypes[i % 3], 'whole');
        const masked = rng.int(1, Math.min(rank, 3));
        const axis = rng.int(0, rank - masked);
        await record.call('booleanMaskAsync', x, tensor(rng, x.shape.slice(axis, axis + masked), 'bool'), axis === 0 && i % 2 ? missing : axis);
        const dtype = i % 3 === 2 ? 'int32' : 'float32';
        await record.call('setdiff1dAsync', tensor(rng, [rng.int(0, 20)], dtype, 'whole'), tensor(rng, [rng.int(0, 10)], dtype, 'whole'));
    }
    await record.call('whereAsync', given([5], 'bool', [0, 0, 0, 0, 0]));
    await record.call('whereAsync', tensor(rng, [3000], 'bool'));
    await record.bad('booleanMaskAsync', tensor(rng, [3, 2]), tensor(rng, [2, 2], 'bool'));
    await record.bad('booleanMaskAsync', tensor(rng, [3, 2]), tensor(rng, [], 'bool'));
    await record.bad('setdiff1dAsync', tensor(rng, [2, 2]), tensor(rng, [4]));
    await record.bad('setdiff1dAsync', tensor(rng, [2]), tensor(rng, [4], 'int32'));
}

module.exports = async (record, rng) => {
    await gathers(record, rng);
    await scatters(record, rng);
    await searches(record, rng);
    await byValue(record, rng);
};
