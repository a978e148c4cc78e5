'use strict';

const {tensor, given, indices, sizeOf, missing} = require('../lib/values');

async function sparse(record, rng) {
    for (let i = 0; i < 30; ++i) {
        const rows = rng.int(1, 6);
        const columns = rng.int(1, 6);
        const all = Array.from({length: rows * columns}, (_, flat) => flat);
        const count = i % 9 === 8 ? 0 : rng.int(1, Math.min(7, all.length));
        const picked = rng.shuffle(all).slice(0, count);
        if (i % 2) picked.sort((a, b) => a - b);
        const at = given([count, 2], 'int32', picked.flatMap((flat) => [Math.floor(flat / columns), flat % columns]));
        const dtype = i % 3 === 2 ? 'int32' : 'float32';
        await record.call('sparse.sparseFillEmptyRows', at, tensor(rng, [count], dtype, 'whole'), given([2], 'int32', [rows, columns]), tensor(rng, [], dtype, 'whole'));

        const extents = [rng.int(1, 4), rng.int(1, 4), rng.int(1, 3)];
        const size = sizeOf(extents);
        const entries = rng.shuffle(Array.from({length: size}, (_, flat) => flat)).slice(0, rng.int(1, Math.min(6, size))).sort((a, b) => a - b);
        const rowsOf = entries.flatMap((flat) => [Math.floor(flat / (extents[1] * extents[2])), Math.floor(flat / extents[2]) % extents[1], flat % extents[2]]);
        const target = rng.pick([[extents[0] * extents[1], extents[2]], [extents[0], extents[1] * extents[2]], [size], [1, size, 1], [extents[2], extents[1], extents[0]]]);
        await record.call('sparse.sparseReshape', given([entries.length, 3], 'int32', rowsOf), given([3], 'int32', extents), given([target.length], 'int32', target.map((extent, axis) => (axis === 0 && i % 2 ? -1 : extent))));

        const data = tensor(rng, [rng.int(2, 8), ...(i % 3 ? [rng.int(1, 4)] : [])]);
        const picks = rng.int(1, 8);
        let segment = 0;
        const segments = Array.from({length: picks}, (_, j) => (segment += j > 0 && rng.chance(0.5) ? rng.int(1, i % 4 === 3 ? 2 : 1) : 0));
        for (const op of ['sparse.sparseSegmentSum', 'sparse.sparseSegmentMean']) await record.call(op, data, indices(rng, [picks], data.shape[0]), given([picks], 'int32', segments));
    }
    const ids = given([2], 'int32', [0, 1]);
    for (const op of ['sparse.sparseSegmentSum', 'sparse.sparseSegmentMean']) {
        await record.bad(op, tensor(rng, [3, 2]), given([2], 'int32', [0, 3]), ids);
        await record.bad(op, tensor(rng, [3, 2]), ids, given([2], 'int32', [1, 0]));
        await record.bad(op, tensor(rng, [3, 2]), given([3], 'int32', [0, 1, 2]), ids);
        await record.bad(op, tensor(rng, []), ids, ids);
    }
    await record.bad('sparse.sparseReshape', given([1, 2], 'int32', [0, 0]), given([2], 'int32', [2, 3]), given([2], 'int32', [4, 2]));
    await record.bad('sparse.sparseReshape', given([1, 2], 'int32', [0, 0]), given([2], 'int32', [2, 3]), given([2], 'int32', [-1, -1]));
    const why = 'the reference does not compare the sizes';
    record.wrong(why, 'sparse.sparseReshape', given([1, 2], 'int32', [0, 0]), given([3], 'int32', [2, 3, 1]), given([1], 'int32', [6]));
    record.wrong(why, 'sparse.sparseFillEmptyRows', given([2, 2], 'int32', [0, 0, 1, 1]), tensor(rng, [3]), given([2], 'int32', [2, 2]), tensor(rng, []));
    await record.bad('sparse.sparseFillEmptyRows', given([1, 2], 'int32', [5, 0]), tensor(rng, [1]), given([2], 'int32', [2, 2]), tensor(rng, []));
}

async function ragged(record, rng) {
    for (let i = 0; i < 30; ++i) {
        const dtype = i % 2 ? 'int32' : 'float32';
        const rows = rng.int(1, 4);
        const starts = tensor(rng, i % 3 ? [rows] : [], dtype, 'ties');
        const deltas = given(i % 5 === 4 ? [] : [rows], dtype, Array.from({length: i % 5 === 4 ? 1 : rows}, () => rng.pick([1, 2, 3])));
        await record.call('raggedRange', starts, tensor(rng, [rows], dtype, 'whole'), deltas);

        const splits = [0];
        for (let j = 0; j < rows; ++j) splits.push(splits[j] + rng.int(0, 3));
        const total = splits[rows];
        const values = tensor(rng, [total, ...(i % 3 === 2 ? [2] : [])], dtype, 'whole');
        await record.call('raggedGather', [given([rows + 1], 'int32', splits)], values, indices(rng, [rng.int(1, 4)], rows), 1);

        const widest = Math.max(1, ...splits.slice(1).map((end, j) => end - splits[j]));
        const missingValue = tensor(rng, [], dtype, 'whole');
        if (total > 0 && i % 3 !== 2) {
            const wanted = rng.pick([[rows, widest], [rows + 1, widest + 1], [-1, -1], [rows, 2]]);
            await record.call('raggedTensorToTensor', given([2], 'int32', wanted), values, missingValue, [given([rows + 1], 'int32', splits)], ['ROW_SPLITS']);
            const ids = splits.slice(1).flatMap((end, j) => Array(end - splits[j]).fill(j));
            await record.call('raggedTensorToTensor', given([2], 'int32', [rows, widest]), values, missingValue, [given([], 'int32', [rows]), given([total], 'int32', ids)], ['FIRST_DIM_SIZE', 'VALUE_ROWIDS']);
        }
    }
    for (let i = 0; i < 8; ++i) {
        // Two ragged axes: rows of rows.
        const outer = [0];
        for (let j = 0; j < 3; ++j) outer.push(outer[j] + rng.int(1, 2));
        const inner = [0];
        for (let j = 0; j < outer[3]; ++j) inner.push(inner[j] + rng.int(1, 2));
        const values = tensor(rng, [inner[inner.length - 1]]);
        const nest = [given([4], 'int32', outer), given([inner.length], 'int32', inner)];
        await record.call('raggedGather', nest, values, indices(rng, i % 2 ? [2] : [3], 3), 2);
        await record.call('raggedTensorToTensor', given([3], 'int32', [3, 2, 2]), values, tensor(rng, []), nest, ['ROW_SPLITS', 'ROW_SPLITS']);
    }
    await record.bad('raggedRange', tensor(rng, [2], 'int32'), tensor(rng, [3], 'int32'), given([3], 'int32', [1, 1, 1]));
    await record.bad('raggedRange', tensor(rng, [2], 'int32'), tensor(rng, [2], 'int32'), given([2], 'int32', [1, 0]));
    await record.bad('raggedGather', [given([3], 'int32', [0, 1, 2])], tensor(rng, [2]), given([1], 'int32', [2]), 1);
}

module.exports = async (record, rng) => {
    await sparse(record, rng);
    await ragged(record, rng);
};
