'use strict';

const {tensor, shape, missing} = require('../lib/values');

module.exports = async (record, rng) => {
    for (let i = 0; i < 60; ++i) {
        const rank = [2, 3, 4][i % 3];
        const extents = shape(rng, rank, {most: 80});
        const whole = i % 5 === 4;
        const part = (kind) => tensor(rng, whole ? extents : [extents[rank - 1]], 'float32', kind);
        const op = i % 2 ? `batchNorm${rank}d` : 'batchNorm';
        await record.call(op, tensor(rng, extents), part('eighths'), part('positive'), i % 3 ? part('eighths') : missing, i % 4 ? part('eighths') : missing, i % 6 === 5 ? missing : 0.01);
    }
    await record.call('batchNorm', tensor(rng, [7]), tensor(rng, []), tensor(rng, [], 'float32', 'positive'));
    await record.bad('batchNorm2d', tensor(rng, [2, 3, 4]), tensor(rng, [4]), tensor(rng, [4], 'float32', 'positive'));
    await record.bad('batchNorm3d', tensor(rng, [2, 3]), tensor(rng, [3]), tensor(rng, [3], 'float32', 'positive'));
    await record.bad('batchNorm4d', tensor(rng, [2, 3]), tensor(rng, [3]), tensor(rng, [3], 'float32', 'positive'));
    await record.bad('batchNorm2d', tensor(rng, [2, 3]), tensor(rng, [3]), tensor(rng, [3, 1, 1], 'float32', 'positive'));

    for (let i = 0; i < 40; ++i) {
        const lead = i % 2 ? [rng.int(1, 2)] : [];
        const x = tensor(rng, [...lead, rng.int(1, 4), rng.int(1, 4), rng.int(1, 9)]);
        if (i % 8 === 7) await record.call('localResponseNormalization', x);
        else await record.call('localResponseNormalization', x, rng.int(0, 4), rng.int(4, 16) / 8, rng.int(1, 8) / 8, rng.pick([0.5, 0.75, 1]));
    }
    await record.bad('localResponseNormalization', tensor(rng, [2, 3, 4]), 0.5);
    await record.bad('localResponseNormalization', tensor(rng, [2, 3]), 1);

    for (let i = 0; i < 12; ++i) {
        const [batch, input, units] = [rng.int(1, 3), rng.int(1, 4), rng.int(1, 4)];
        await record.call('basicLSTMCell', tensor(rng, [], 'float32', 'unit'), tensor(rng, [input + units, 4 * units], 'float32', 'unit'), tensor(rng, [4 * units], 'float32', 'unit'), tensor(rng, [batch, input], 'float32', 'unit'), tensor(rng, [batch, units], 'float32', 'unit'), tensor(rng, [batch, units], 'float32', 'unit'));
        const extents = shape(rng, i % 4, {most: 20});
        const stepped = i % 3 === 2;
        await record.call('movingAverage', tensor(rng, extents), tensor(rng, extents), i % 2 ? 0.75 : tensor(rng, [], 'float32', 'probability'), stepped ? rng.int(1, 5) : missing, stepped ? missing : false);
    }
    await record.bad('movingAverage', tensor(rng, [2]), tensor(rng, [3]), 0.5, missing, false);
    await record.bad('movingAverage', tensor(rng, [2]), tensor(rng, [2]), 0.5);
};
