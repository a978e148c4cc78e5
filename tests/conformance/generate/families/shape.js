'use strict';

const {tensor, shape, given, nested, sizeOf, broadcastPair, indices, permute, missing} = require('../lib/values');
const {stridedSlice} = require('../lib/strided_slice');

const dtypes = ['float32', 'int32', 'bool'];
const any = (rng, extents, i = 0) => tensor(rng, extents, dtypes[i % 3], 'whole');

// Other extents for the same number of elements.
function factored(rng, size) {
    const result = [];
    let rest = size;
    while (rest > 1 && result.length < 5) {
        const factors = Array.from({length: rest}, (_, i) => i + 1).filter((f) => rest % f === 0);
        const factor = rng.pick(factors);
        result.push(factor);
        rest /= factor;
    }
    if (rest !== 1) result.push(rest);
    return result;
}

async function views(record, rng) {
    for (let i = 0; i < 42; ++i) {
        const extents = shape(rng, i % 7, {zero: i % 11 === 10 ? 0.3 : 0});
        const x = any(rng, extents, i);
        const target = sizeOf(extents) === 0 ? [2, 0, 3] : factored(rng, sizeOf(extents));
        await record.call('reshape', x, target);
        if (target.length > 0 && sizeOf(extents) > 0) await record.call('reshape', x, target.map((extent, axis) => (axis === i % target.length ? -1 : extent)));
        await record.call('expandDims', x, i % 5 === 0 ? missing : rng.int(-extents.length - 1, extents.length));
        await record.call('ensureShape', x, extents.map((extent) => (rng.chance(0.2) ? null : extent)));
        const thin = extents.slice(0, 4).flatMap((extent) => (rng.chance(0.5) ? [extent, 1] : [extent])).slice(0, 6);
        const y = any(rng, thin, i);
        await record.call('squeeze', y);
        const ones = thin.map((extent, axis) => [extent, axis]).filter(([extent]) => extent === 1).map(([, axis]) => (rng.chance(0.3) ? axis - thin.length : axis));
        if (ones.length > 0) await record.call('squeeze', y, rng.shuffle(ones).slice(0, rng.int(1, ones.length)));
    }
    await record.bad('reshape', tensor(rng, [2, 3]), [4]);
    await record.bad('reshape', tensor(rng, [2, 3]), [-1, 4]);
    await record.bad('reshape', tensor(rng, [2, 3]), [-1, -1]);
    await record.bad('expandDims', tensor(rng, [2, 3]), 3);
    await record.bad('expandDims', tensor(rng, [2, 3]), -4);
    await record.bad('squeeze', tensor(rng, [2, 1]), [0]);
    await record.bad('squeeze', tensor(rng, [2, 1]), [2]);
    await record.bad('ensureShape', tensor(rng, [2, 1]), [2, 2]);
    await record.bad('ensureShape', tensor(rng, [2, 1]), [2]);
}

async function moves(record, rng) {
    for (let i = 0; i < 49; ++i) {
        const rank = i % 7;
        const extents = shape(rng, rank, {zero: i % 11 === 10 ? 0.3 : 0});
        const x = any(rng, extents, i);
        const axes = Array.from({length: rank}, (_, axis) => axis);
        await record.call('transpose', x, i % 5 === 0 ? missing : rng.shuffle(axes));
        if (rank > 0) {
            const some = rng.shuffle(rng.some(rank, 0.5)).map((axis) => (rng.chance(0.3) ? axis - rank : axis));
            await record.call('reverse', x, i % 6 === 0 || some.length === 0 ? missing : some.length === 1 && rng.chance(0.5) ? some[0] : some);
            if (rank <= 4) await record.call(`reverse${rank}d`, ...(rank === 1 || some.length === 0 ? [x] : [x, some]));
            await record.call('tile', x, extents.map(() => rng.int(i % 8 === 7 ? 0 : 1, 3)));
            const begin = extents.map((extent) => rng.int(0, extent));
            const size = extents.map((extent, axis) => (rng.chance(0.25) ? -1 : rng.int(0, extent - begin[axis])));
            await record.call('slice', x, begin, size);
            await record.call('slice', x, begin.slice(0, rng.int(1, rank)));
            if (rank <= 4) await record.call(`slice${rank}d`, x, rank === 1 ? begin[0] : begin, rank === 1 ? (size[0] === -1 ? extents[0] - begin[0] : size[0]) : size);
        }
    }
    await record.call('transpose', tensor(rng, [40, 60]));
    await record.call('transpose', tensor(rng, [10, 12, 15]), [2, 0, 1]);
    record.wrong('the reference permutes with an axis twice', 'transpose', tensor(rng, [2, 3]), [0, 0]);
    await record.bad('transpose', tensor(rng, [2, 3]), [0]);
    await record.bad('transpose', tensor(rng, [2, 3]), [0, 2]);
    await record.bad('reverse', tensor(rng, [2, 3]), [2]);
    await record.bad('reverse1d', tensor(rng, [2, 3]));
    await record.bad('reverse3d', tensor(rng, [2, 3]), [0]);
    await record.bad('tile', tensor(rng, [2, 3]), [2]);
    await record.bad('slice', tensor(rng, [2, 3]), [0, 2], [2, 2]);
    await record.bad('slice', tensor(rng, [2, 3]), [3, 0], [1, 1]);
    await record.bad('slice1d', tensor(rng, [2, 3]), 0, 1);
    await record.bad('slice3d', tensor(rng, [2, 3]), [0, 0, 0], [1, 1, 1]);

    for (let i = 0; i < 28; ++i) {
        const [, part] = broadcastPair(rng, i % 7, {});
        const full = part.map((extent) => (extent === 1 ? rng.int(1, 3) : extent));
        const lead = Array.from({length: Math.min(6 - part.length, rng.int(0, 2))}, () => rng.int(1, 3));
        await record.call('broadcastTo', any(rng, part, i), [...lead, ...full]);
        const [a, b] = broadcastPair(rng, 1 + (i % 6), {});
        if (a.length > 0 && b.length > 0) await record.call('broadcastArgs', given([a.length], 'int32', a), given([b.length], 'int32', b));
    }
    await record.bad('broadcastTo', tensor(rng, [2, 3]), [2, 4]);
    await record.bad('broadcastTo', tensor(rng, [2, 3]), [3]);
    await record.bad('broadcastArgs', given([2], 'int32', [2, 3]), given([2], 'int32', [2, 4]));
}

async function pads(record, rng) {
    for (let i = 0; i < 35; ++i) {
        const rank = 1 + (i % 4);
        const x = any(rng, shape(rng, rank, {most: 60, zero: i % 11 === 10 ? 0.3 : 0}), i % 2);
        const pairs = x.shape.map(() => [rng.int(0, 3), rng.int(0, 2)]);
        const value = i % 3 === 0 ? missing : rng.int(-5, 5);
        await record.call('pad', x, pairs, value);
        await record.call(`pad${rank}d`, x, rank === 1 ? pairs[0] : pairs, value);
    }
    await record.call('pad', tensor(rng, [2, 3]), [[1, 0], [0, 1]], -Infinity);
    await record.call('pad', tensor(rng, [2, 3]), [[1, 0], [0, 1]], 0.25);
    record.wrong('the reference takes a pair for each axis only in pad1d to pad4d', 'pad', tensor(rng, [2, 3]), [[1, 1]]);
    await record.bad('pad1d', tensor(rng, [3]), [1, 1, 1]);
    await record.bad('pad2d', tensor(rng, [2, 3]), [[1, 1]]);
    for (let i = 0; i < 36; ++i) {
        const rank = 1 + (i % 4);
        const x = any(rng, shape(rng, rank, {most: 60, least: 1}), i % 2);
        const mode = rng.pick(['reflect', 'symmetric']);
        const most = (extent) => (mode === 'reflect' ? extent - 1 : extent);
        await record.call('mirrorPad', x, x.shape.map((extent) => [rng.int(0, most(extent)), rng.int(0, most(extent))]), mode);
    }
    await record.bad('mirrorPad', tensor(rng, [3]), [[3, 0]], 'reflect');
    await record.bad('mirrorPad', tensor(rng, [3]), [[4, 0]], 'symmetric');
    await record.bad('mirrorPad', tensor(rng, [3]), [[-1, 0]], 'reflect');
    await record.bad('mirrorPad', tensor(rng, [2, 3]), [[1, 0]], 'reflect');
}

async function joins(record, rng) {
    for (let i = 0; i < 42; ++i) {
        const rank = 1 + (i % 6);
        const extents = shape(rng, rank, {most: 60});
        const axis = rng.int(-rank, rank - 1);
        const at = (axis + rank) % rank;
        const parts = Array.from({length: rng.int(1, 5)}, () => any(rng, extents.map((extent, j) => (j === at ? rng.int(i % 7 === 6 ? 0 : 1, 4) : extent)), i));
        await record.call('concat', parts, axis);
        if (rank <= 4) await record.call(`concat${rank}d`, ...(rank === 1 ? [parts] : [parts, at]));
        const same = Array.from({length: rng.int(1, 4)}, () => any(rng, extents.slice(0, 5), i));
        await record.call('stack', same, rng.int(-same[0].shape.length - 1, same[0].shape.length));
        await record.call('unstack', any(rng, extents, i), i % 6 === 0 ? missing : axis);
        const count = rng.int(1, 4);
        const even = any(rng, extents.map((extent, j) => (j === at ? count * rng.int(1, 3) : extent)), i);
        await record.call('split', even, count, axis);
        const sizes = Array.from({length: rng.int(1, 4)}, () => rng.int(i % 7 === 6 ? 0 : 1, 3));
        const total = sizes.reduce((a, b) => a + b, 0);
        const uneven = any(rng, extents.map((extent, j) => (j === at ? total : extent)), i);
        await record.call('split', uneven, sizes, axis);
        const open = rng.int(0, sizes.length - 1);
        const worked = sizes.map((size, j) => (j === open ? -1 : size));
        await record.derived('a -1 in front starts the reference\'s sum at -1', 'split', [uneven, worked, axis], (call) => call('split', [uneven, sizes, axis]));
    }
    await record.call('concat', [tensor(rng, [2, 3]), given([0, 3], 'float32', []), tensor(rng, [1, 3])]);
    await record.call('concat', Array.from({length: 200}, () => tensor(rng, [1, 2])), 0);
    await record.call('concat', Array.from({length: 200}, () => tensor(rng, [2, 1])), 1);
    await record.call('stack', Array.from({length: 120}, () => tensor(rng, [])));
    await record.bad('concat', [tensor(rng, [2, 3]), tensor(rng, [2, 4])], 0);
    await record.bad('concat', [tensor(rng, [2, 3]), tensor(rng, [3])], 0);
    record.wrong('the reference does not look at the axis of a single tensor', 'concat', [tensor(rng, [2, 3])], 2);
    await record.bad('stack', [tensor(rng, [2]), tensor(rng, [3])]);
    await record.bad('stack', [tensor(rng, [2]), tensor(rng, [2])], 2);
    await record.bad('unstack', tensor(rng, [2, 3]), 2);
    await record.bad('split', tensor(rng, [2, 5]), 2, 1);
    await record.bad('split', tensor(rng, [2, 5]), [2, 2], 1);
    await record.bad('split', tensor(rng, [2, 5]), [-1, -1, 1], 1);
}

async function stridedSlices(record, rng) {
    for (let i = 0; i < 110; ++i) {
        const rank = 1 + (i % 5);
        const x = any(rng, shape(rng, rank, {most: 100}), i % 2);
        const used = rng.int(1, rank);
        const begin = [], end = [], strides = [];
        for (let axis = 0; axis < used; ++axis) {
            const extent = x.shape[axis];
            const stride = rng.pick([1, 1, 2, 3, -1, -2]);
            const [low, high] = [rng.int(-extent, extent), rng.int(-extent - 1, extent + 1)];
            begin.push(low);
            end.push(high);
            strides.push(stride);
        }
        const mask = () => (rng.chance(0.5) ? 0 : rng.int(0, (1 << used) - 1));
        const masks = [mask(), mask()];
        if (i % 3 === 1) masks.push(1 << rng.int(0, used - 1));
        record.right('the reference fails for some masks; the definition is in lib/strided_slice.js', 'stridedSlice', [x, begin, end, strides, ...masks], stridedSlice(x, begin, end, strides, ...masks));
    }
    // One index each: begin to begin + 1, which a shrink mask takes away.
    for (let i = 0; i < 40; ++i) {
        const rank = 1 + (i % 4);
        const x = any(rng, shape(rng, rank, {most: 100}), i % 2);
        const used = rng.int(1, rank);
        const begin = Array.from({length: used}, (_, axis) => rng.int(0, x.shape[axis] - 1));
        const shrink = rng.int(0, (1 << used) - 1);
        const fresh = i % 2 ? rng.int(0, (1 << used) - 1) : 0;
        await record.call('stridedSlice', x, begin, begin.map((at) => at + 1), begin.map(() => 1), 0, 0, 0, fresh, shrink);
    }
    await record.bad('stridedSlice', tensor(rng, [3, 4]), [0, 0], [1, 1], [1, 0]);
}

async function blocks(record, rng) {
    for (let i = 0; i < 36; ++i) {
        const spatial = 1 + (i % 3);
        const block = Array.from({length: spatial}, () => rng.int(1, 3));
        const count = sizeOf(block);
        const inner = Array.from({length: spatial}, () => rng.int(1, 3));
        const rest = i % 2 ? [rng.int(1, 3)] : [];
        const crops = block.map((b, axis) => {
            const all = b * inner[axis] - 1;
            const before = rng.int(0, Math.min(2, all));
            return [before, rng.int(0, Math.min(2, all - before))];
        });
        await record.call('batchToSpaceND', tensor(rng, [count * rng.int(1, 2), ...inner, ...rest]), block, crops);
        const paddings = block.map((b, axis) => {
            const before = rng.int(0, 2);
            return [before, (b - ((inner[axis] + before) % b)) % b];
        });
        await record.call('spaceToBatchND', tensor(rng, [rng.int(1, 2), ...inner, ...rest]), block, paddings);
        const size = rng.int(2, 3);
        const channels = size * size * rng.int(1, 2);
        const nchw = i % 2;
        const [h, w] = [rng.int(1, 3), rng.int(1, 3)];
        const image = tensor(rng, [rng.int(1, 2), h, w, channels]);
        if (nchw) {
            await record.derived('the CPU reference lacks NCHW', 'depthToSpace', [permute(image, [0, 3, 1, 2]), size, 'NCHW'], async (call) => permute(await call('depthToSpace', [image, size, 'NHWC']), [0, 3, 1, 2]));
        } else {
            await record.call('depthToSpace', image, size, rng.pick([missing, 'NHWC']));
        }
    }
    await record.bad('batchToSpaceND', tensor(rng, [3, 2, 2, 1]), [2, 2], [[0, 0], [0, 0]]);
    await record.bad('batchToSpaceND', tensor(rng, [4, 2, 2, 1]), [2, 2], [[0, 0]]);
    await record.bad('spaceToBatchND', tensor(rng, [1, 3, 2, 1]), [2, 2], [[0, 0], [0, 0]]);
    await record.bad('spaceToBatchND', tensor(rng, [1, 2, 2, 1]), [2, 2], [[0, 0]]);
    await record.bad('depthToSpace', tensor(rng, [1, 2, 2, 6]), 2, 'NHWC');
}

async function others(record, rng) {
    for (let i = 0; i < 10; ++i) {
        const axes = Array.from({length: rng.int(1, 2)}, () => tensor(rng, [rng.int(1, 4)], 'float32'));
        await record.call('meshgrid', ...axes, ...(axes.length === 2 && i % 2 ? [{indexing: rng.pick(['xy', 'ij'])}] : []));
        await record.call('diag', any(rng, shape(rng, 1 + (i % 3), {most: 8}), i % 2));
        const x = indices(rng, shape(rng, i % 4, {most: 20}), 6);
        await record.call('oneHot', x, rng.int(1, 7), ...(i % 3 === 1 ? [rng.int(2, 5), -1] : []));
        await record.call('oneHot', given(x.shape, 'int32', x.data.map((v) => v - 2)), rng.int(2, 7), ...(i % 3 === 1 ? [2, 0.5, 'float32'] : []));
    }
    await record.call('oneHot', nested(indices(rng, [2, 3], 4)), 4, 1, 0, 'bool');
    await record.bad('oneHot', indices(rng, [3], 2), 1);
    await record.bad('oneHot', tensor(rng, [3]), 3);
}

module.exports = async (record, rng) => {
    await views(record, rng);
    await moves(record, rng);
    await pads(record, rng);
    await joins(record, rng);
    await stridedSlices(record, rng);
    await blocks(record, rng);
    await others(record, rng);
};
