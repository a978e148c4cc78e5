'use strict';

const {tensor, given, missing} = require('../lib/values');

const roundings = ['floor', 'round', 'ceil'];
const single = (rng, pair) => (pair.every((value) => value === pair[0]) && rng.chance(0.6) ? pair[0] : pair);

// Never as wide as the window, so that no window lies in the padding alone.
function padding(rng, window) {
    const most = Math.min(2, Math.min(...window) - 1);
    const kind = rng.int(0, 4);
    if (kind < 2) return rng.pick(['valid', 'same']);
    if (kind === 2) return rng.int(0, most);
    return [[0, 0], ...window.map(() => [rng.int(0, most), rng.int(0, most)]), [0, 0]];
}

module.exports = async (record, rng) => {
    const sizes = (count) => Array.from({length: count}, () => rng.int(1, 3));
    for (let i = 0; i < 80; ++i) {
        const window = sizes(2);
        const strides = sizes(2);
        const pad = padding(rng, window);
        const lead = i % 3 === 2 ? [] : [rng.int(1, 3)];
        const x = tensor(rng, [...lead, window[0] + rng.int(0, 5), window[1] + rng.int(0, 5), rng.int(1, 3)], 'float32', i % 8 === 7 ? 'edges' : 'eighths');
        // Rounding up past the last window that begins inside would pool padding alone.
        const mode = typeof pad === 'string' || i % 2 ? missing : rng.pick(pad === 0 ? roundings.slice(0, 1) : roundings.slice(0, 2));
        for (const op of i % 8 === 7 ? ['maxPool'] : ['maxPool', 'avgPool']) {
            const args = [x, single(rng, window), single(rng, strides), pad, mode];
            if (typeof pad !== 'number') {
                await record.call(op, ...args);
                continue;
            }
            const pairs = [[0, 0], [pad, pad], [pad, pad], [0, 0]];
            await record.derived('the reference takes the window and the stride of the height for the width too', op, args, (call) => call(op, [...args.slice(0, 3), pairs, mode]));
        }
        const dilations = sizes(2);
        const spread = i % 2 ? dilations : [1, 1];
        const wide = tensor(rng, [...lead, (window[0] - 1) * spread[0] + 1 + rng.int(0, 4), (window[1] - 1) * spread[1] + 1 + rng.int(0, 4), rng.int(1, 3)]);
        await record.call('pool', wide, single(rng, window), rng.pick(['max', 'avg']), rng.pick(['valid', 'same']), i % 2 ? single(rng, dilations) : missing, i % 2 ? missing : single(rng, strides));
    }
    for (let i = 0; i < 40; ++i) {
        const window = sizes(2);
        const x = tensor(rng, [rng.int(1, 3), window[0] + rng.int(0, 4), window[1] + rng.int(0, 4), rng.int(1, 3)], 'float32', i % 2 ? 'ties' : 'eighths');
        await record.call('maxPoolWithArgmax', x, single(rng, window), single(rng, sizes(2)), rng.pick(['valid', 'same', 0]), rng.pick([missing, true, false]));
    }
    for (let i = 0; i < 60; ++i) {
        const window = sizes(3);
        const strides = sizes(3);
        const lead = i % 3 === 2 ? [] : [rng.int(1, 2)];
        const pad = rng.pick(['valid', 'same', rng.int(0, Math.min(...window) - 1)]);
        const x = tensor(rng, [...lead, ...window.map((size) => size + rng.int(0, 3)), rng.int(1, 2)]);
        await record.call(i % 2 ? 'maxPool3d' : 'avgPool3d', x, single(rng, window), single(rng, strides), pad, typeof pad === 'number' && i % 4 < 2 ? 'floor' : missing);
    }
    await record.call('maxPool', given([3, 3, 1], 'float32', [NaN, 1, 2, 3, NaN, 5, 6, 7, NaN]), 2, 1, 'valid');
    await record.call('maxPool', tensor(rng, [1, 40, 40, 2]), 3, 2, 'same');
    for (const op of ['maxPool', 'avgPool']) {
        await record.bad(op, tensor(rng, [4, 4]), 2, 1, 'valid');
        await record.bad(op, tensor(rng, [4, 4, 1]), 2, 1, 'same', 'floor');
        await record.bad(op, tensor(rng, [4, 4, 1]), 2, 0, 'valid');
        await record.bad(`${op}3d`, tensor(rng, [4, 4, 1]), 2, 1, 'valid');
        await record.bad(`${op}3d`, tensor(rng, [4, 4, 4, 1]), 2, 1, 'valid', 'floor');
    }
    await record.bad('avgPool', tensor(rng, [4, 4, 1], 'int32'), 2, 1, 'valid');
    await record.bad('maxPoolWithArgmax', tensor(rng, [4, 4, 1]), 2, 1, 'valid');
    await record.bad('pool', tensor(rng, [4, 4, 1]), 2, 'max', 'valid', 2, 2);
};
