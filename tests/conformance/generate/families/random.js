'use strict';

const {tensor, shape, missing} = require('../lib/values');

// Only shape, dtype, range and moments of these are compared; the seeds make this script's output the same each time.
module.exports = async (record, rng) => {
    for (let i = 0; i < 14; ++i) {
        const extents = i % 2 ? [[2000], [40, 50], [10, 10, 20], [5, 8, 5, 10]][rng.int(0, 3)] : shape(rng, i % 6, {most: 40});
        const seed = rng.int(1, 1000);
        await record.call('randomUniform', extents, i % 3 ? -1 : 0, i % 3 ? 2.5 : 1, i % 4 === 3 ? 'int32' : missing, seed);
        await record.call('randomUniformInt', extents, -5, 6, seed);
        await record.call('randomNormal', extents, i % 3 ? 2 : 0, i % 3 ? 0.5 : 1, i % 4 === 3 ? 'int32' : missing, seed);
        await record.call('randomStandardNormal', extents, missing, seed);
        await record.call('truncatedNormal', extents, i % 3 ? 2 : 0, i % 3 ? 0.5 : 1, missing, seed);
        await record.call('randomGamma', extents, 2 + (i % 3), i % 2 ? 2 : missing, missing, seed);
        await record.call('multinomial', tensor(rng, i % 2 ? [2, 4] : [5], 'float32', 'unit'), 1000, seed);
        await record.call('dropout', tensor(rng, extents.length > 0 ? extents : [3], 'float32', 'positive'), i % 3 ? 0.5 : 0, missing, seed);
    }
    await record.bad('multinomial', tensor(rng, [1]), 10, 1);
    await record.bad('multinomial', tensor(rng, [2, 2, 2]), 10, 1);
    await record.bad('dropout', tensor(rng, [3]), 1);
    await record.bad('dropout', tensor(rng, [3]), -0.1);
    await record.bad('dropout', tensor(rng, [3], 'int32'), 0.5);
};
