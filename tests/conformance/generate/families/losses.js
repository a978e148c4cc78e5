'use strict';

const {tensor, shape, missing} = require('../lib/values');

module.exports = async (record, rng) => {
    const reductions = [missing, 0, 1, 2, 3];
    // For each loss: the kinds of labels and predictions, and the argument between weights and reduction.
    const losses = {
        absoluteDifference: ['eighths', 'eighths'],
        meanSquaredError: ['eighths', 'eighths'],
        hingeLoss: ['bits', 'eighths'],
        huberLoss: ['eighths', 'eighths', (i) => (i % 3 ? 0.4 : missing)],
        logLoss: ['bits', 'probability', (i) => (i % 3 === 2 ? 0.001 : missing)],
        sigmoidCrossEntropy: ['bits', 'eighths', (i) => (i % 3 === 2 ? 0.25 : missing)],
    };
    const draw = (extents, kind) => (kind === 'bits' ? {...tensor(rng, extents, 'bool'), dtype: 'float32'} : tensor(rng, extents, 'float32', kind));
    const weightsFor = (extents, i) => {
        if (i % 3 === 0) return missing;
        const part = rng.chance(0.5) ? extents : extents.map((extent) => (rng.chance(0.5) ? 1 : extent));
        const weights = tensor(rng, part, 'float32', 'positive');
        // A weight of zero does not count in the mean over weights that are not zero.
        if (weights.data.length > 1 && i % 2) weights.data[0] = 0;
        return weights;
    };
    for (const [name, [labels, predictions, middle]] of Object.entries(losses)) {
        for (let i = 0; i < 30; ++i) {
            const extents = shape(rng, 1 + (i % 4), {most: 40});
            await record.call(`losses.${name}`, draw(extents, labels), draw(extents, predictions), weightsFor(extents, i), ...(middle ? [middle(i)] : []), reductions[i % 5]);
        }
        await record.bad(`losses.${name}`, draw([2, 3], labels), draw([3, 2], predictions));
    }
    for (let i = 0; i < 30; ++i) {
        const extents = shape(rng, 1 + (i % 4), {most: 40});
        await record.call('losses.computeWeightedLoss', tensor(rng, extents), weightsFor(extents, i), reductions[i % 5]);
        const rank = 1 + (i % 3);
        const axis = rng.int(0, rank - 1);
        const vectors = shape(rng, rank, {most: 30});
        const kept = vectors.map((extent, j) => (j === axis ? 1 : extent));
        await record.call('losses.cosineDistance', tensor(rng, vectors, 'float32', 'unit'), tensor(rng, vectors, 'float32', 'unit'), axis, weightsFor(kept, i), reductions[i % 5]);
        const [batch, classes] = [rng.int(1, 5), rng.int(2, 5)];
        const onehot = tensor(rng, [batch, classes]);
        onehot.data = onehot.data.map(() => 0);
        for (let row = 0; row < batch; ++row) onehot.data[row * classes + rng.int(0, classes - 1)] = 1;
        await record.call('losses.softmaxCrossEntropy', onehot, tensor(rng, [batch, classes]), i % 3 ? tensor(rng, [batch], 'float32', 'positive') : missing, i % 4 === 3 ? 0.25 : missing, reductions[i % 5]);
    }
    await record.bad('losses.computeWeightedLoss', tensor(rng, [2, 3]), tensor(rng, [4]));
    await record.bad('losses.softmaxCrossEntropy', tensor(rng, [2, 3]), tensor(rng, [3, 2]));
    await record.bad('losses.cosineDistance', tensor(rng, [2, 3]), tensor(rng, [3, 2]), 1);
};
